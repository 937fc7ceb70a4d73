/* path_print.c: what `cairn path` found, as text or JSON. */
#include "path.h"
#include "json.h"
#include "text.h"

/* ---- telling ---- */

static const cairn_node *path_points(const path_run *run, uint32_t *count)
{
    *count = run->smooth.nodes ? run->smooth.count : run->path.count;
    return run->smooth.nodes ? run->smooth.nodes : run->path.nodes;
}

static void path_json_place(json *j, const char *key, const world *w, cairn_node node)
{
    world_kind_of(w)->json(w, node, j, key);
}

static void path_json_links(json *j, const path_run *run)
{
    json_array(j, "links");
    for (uint32_t i = 0; i < run->path.link_count; i++) {
        const cairn_path_link *link = &run->path.links[i];
        json_object(j, NULL);
        json_integer(j, "id", link->id);
        path_json_place(j, "from", &run->world, run->path.nodes[link->at]);
        path_json_place(j, "to", &run->world, run->path.nodes[link->at + 1]);
        json_end(j);
    }
    json_end(j);
}

/* In positions, as the world has them. */
static void path_json_curve(json *j, const path_run *run)
{
    json_array(j, "curve");
    for (uint32_t i = 0; i < run->curve.count; i++) {
        json_array(j, NULL);
        json_number(j, NULL, run->curve.points[i].x);
        json_number(j, NULL, run->curve.points[i].y);
        json_end(j);
    }
    json_end(j);
}

void path_print_json(const path_run *run)
{
    json j = json_to(stdout);
    bool any = run->path.count > 0;
    uint32_t count;
    const cairn_node *points = path_points(run, &count);
    json_object(&j, NULL);
    json_text(&j, "status", cairn_result_text(run->path.status));
    json_bool(&j, "partial", run->path.partial);
    json_bool(&j, "any_angle", run->path.any_angle);
    if (any)
        path_json_place(&j, "end", &run->world, run->path.end);
    else
        json_null(&j, "end");
    json_text(&j, "reason", run->path.status == CAIRN_FOUND ? NULL : run->reason);
    if (any) {
        json_integer(&j, "cost_units", run->smooth.nodes ? run->smooth.cost : run->path.cost);
        json_number(&j, "length", run->smooth.nodes ? run->smooth.length : run->path.length);
    } else {
        json_null(&j, "cost_units");
        json_null(&j, "length");
    }
    json_array(&j, "waypoints");
    for (uint32_t i = 0; i < count; i++) path_json_place(&j, NULL, &run->world, points[i]);
    json_end(&j);
    if (run->curve.points) path_json_curve(&j, run);
    if (run->path.link_count) path_json_links(&j, run);
    json_text(&j, "answered_by", run->metrics.answered_by ? run->metrics.answered_by->name : NULL);
    json_integer(&j, "expanded", (int64_t)run->metrics.expanded);
    json_number(&j, "time_us", (double)(int64_t)(run->time_us * 1000 + 0.5) / 1000);
    json_integer(&j, "peak_bytes", (int64_t)run->metrics.peak_bytes);
    if (run->options->repro) json_text(&j, "repro", run->options->repro);
    json_end(&j);
}

enum { PATH_POINTS_SHOWN = 12 };

static void path_print_points(const path_run *run)
{
    uint32_t count;
    const cairn_node *points = path_points(run, &count);
    printf("  path       ");
    for (uint32_t i = 0; i < count; i++) {
        char place[WORLD_PLACE];
        if (i == PATH_POINTS_SHOWN / 2 && count > PATH_POINTS_SHOWN) {
            i = count - PATH_POINTS_SHOWN / 2;
            printf("… %u more … ", count - PATH_POINTS_SHOWN);
        }
        world_kind_of(&run->world)->point(&run->world, points[i], place);
        printf("%s%s", place, i + 1 < count ? " " : "\n");
    }
}

static void path_print_found(const path_run *run)
{
    char text[TEXT_SHORT];
    cairn_scale scale = cairn_space_scale(run->world.space);
    printf("  cost       %s units", text_count(run->path.cost, text));
    if (run->world.grid) printf(" (a straight step is %u)", scale.straight);
    if (run->smooth.nodes && run->smoothing.kind == SMOOTH_RAYS)
        printf(", smoothed %s", text_count(run->smooth.cost, text));
    printf("\n  length     %.4f", run->path.length);
    if (run->smooth.nodes) printf(", smoothed %.4f", run->smooth.length);
    printf("\n");
    path_print_points(run);
    if (run->curve.points) printf("  curve      %s points\n", text_count(run->curve.count, text));
    for (uint32_t i = 0; i < run->path.link_count; i++) {
        const cairn_path_link *link = &run->path.links[i];
        char from[WORLD_PLACE], to[WORLD_PLACE];
        printf("  link %-5u %s to %s\n", link->id,
               world_place(&run->world, run->path.nodes[link->at], from),
               world_place(&run->world, run->path.nodes[link->at + 1], to));
    }
}

/* Nodes that are reopened are expanded again: then expansions are not a part of the nodes. */
static void path_print_counts(const cairn_metrics *metrics)
{
    char text[TEXT_SHORT];
    printf("  expanded   %s", text_count(metrics->expanded, text));
    if (metrics->reopened) {
        printf(" (reopened: %s)", text_count(metrics->reopened, text));
        printf(", generated %s\n", text_count(metrics->generated, text));
    } else {
        printf(" of %s generated\n", text_count(metrics->generated, text));
    }
}

void path_print_text(const path_run *run)
{
    char text[TEXT_SHORT];
    bool found = run->path.status == CAIRN_FOUND;
    printf("%s%s: %s from %s to %s\n",
           found               ? ""
           : run->path.partial ? "part of a path: "
                               : "no path: ",
           cairn_result_text(run->path.status), cairn_planner_algorithm(run->planner)->name,
           run->from.text, run->to.text);
    if (!found) say("  reason     %s\n", run->reason);
    if (run->path.partial) {
        char end[WORLD_PLACE];
        printf("  ends at    %s, %s\n", world_place(&run->world, run->path.end, end),
               run->path.status == CAIRN_OUT_OF_BUDGET ? "as far as the budget went"
                                                       : "the nearest that can be reached");
    }
    if (run->path.count) path_print_found(run);
    const cairn_algorithm *answered_by = run->metrics.answered_by;
    if (answered_by && answered_by != cairn_planner_algorithm(run->planner))
        printf("  answered   by %s, to which %s delegates such queries\n", answered_by->name,
               cairn_planner_algorithm(run->planner)->name);
    path_print_counts(&run->metrics);
    printf("  time       %s\n", text_duration(run->time_us, text));
    printf("  memory     %s the search", text_bytes(run->metrics.peak_bytes, text));
    printf(", %s the world\n", text_bytes(world_bytes(&run->world), text));
    char index[INDEX_TEXT];
    if (run->index.needed) printf("  index      %s\n", index_text(&run->index, index));
    if (run->options->repro)
        say("  repro      %s: world, agent, query and algorithm (`cairn path %s` repeats it)\n",
            run->options->repro, run->options->repro);
}
