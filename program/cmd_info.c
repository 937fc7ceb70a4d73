/* cmd_info.c: `cairn info`: what is in a world, and how the agent sees it. */
#include "command.h"
#include "json.h"
#include "profile.h"
#include "text.h"
#include "world.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct info_options {
    profile_options profile;
    bool json;
} info_options;

static const arg_flag info_flags[] = {PROFILE_FLAGS(info_options, profile), FLAG_JSON(info_options, json)};

/* ---- grids ---- */

typedef struct info_grid {
    uint32_t width, height;
    uint64_t open, usable;
    uint64_t terrain[256]; /* open cells of each class */
} info_grid;

static info_grid info_of_grid(const world *w)
{
    info_grid info = {.width = cairn_grid_width(w->grid), .height = cairn_grid_height(w->grid)};
    for (uint32_t y = 0; y < info.height; y++) {
        for (uint32_t x = 0; x < info.width; x++) {
            if (!cairn_grid_is_open(w->grid, (int32_t)x, (int32_t)y)) continue;
            info.open++;
            info.terrain[cairn_grid_terrain(w->grid, (int32_t)x, (int32_t)y)]++;
            info.usable += cairn_space_usable(w->space, y * info.width + x);
        }
    }
    return info;
}

static const char *info_class_name(uint32_t class, char out[16])
{
    const char *name = profile_terrain_name(class);
    if (name)
        snprintf(out, 16, "%s", name);
    else
        snprintf(out, 16, "%u", class);
    return out;
}

static void info_print_grid(const world *w)
{
    info_grid info = info_of_grid(w);
    const cairn_profile *profile = cairn_space_profile(w->space);
    uint64_t cells = (uint64_t)info.width * info.height;
    char text[TEXT_SHORT], name[16];
    printf("%s: a grid of %u x %u\n", w->name, info.width, info.height);
    printf("  cells      %s", text_count(cells, text));
    printf(", %s open", text_count(info.open, text));
    printf(" (%.1f %%)", 100.0 * (double)info.open / (double)cells);
    printf(", %s usable for this agent\n", text_count(info.usable, text));
    for (uint32_t i = 0; i < 256; i++) {
        if (!info.terrain[i]) continue;
        printf("  %-10s %s cells, ", info_class_name(i, name), text_count(info.terrain[i], text));
        if (profile->terrain_cost[i])
            printf("cost %u\n", profile->terrain_cost[i]);
        else
            printf("forbidden\n");
    }
    printf("  agent      %s neighbours, corners %s\n", profile_neighbours_name(profile->neighbours),
           profile_corners_name(profile->corners));
    cairn_scale scale = cairn_space_scale(w->space);
    printf("  costs      a straight step %u units, a diagonal one %u\n", scale.straight, scale.diagonal);
    printf("  memory     %s the grid", text_bytes(cairn_grid_bytes(w->grid), text));
    printf(", %s the space\n", text_bytes(cairn_space_bytes(w->space), text));
    printf("  version    %llu\n", (unsigned long long)cairn_grid_version(w->grid));
}

static void info_json_grid(json *j, const world *w)
{
    info_grid info = info_of_grid(w);
    const cairn_profile *profile = cairn_space_profile(w->space);
    cairn_scale scale = cairn_space_scale(w->space);
    char name[16];
    json_integer(j, "width", info.width);
    json_integer(j, "height", info.height);
    json_integer(j, "cells", (int64_t)info.width * info.height);
    json_integer(j, "open", (int64_t)info.open);
    json_integer(j, "usable", (int64_t)info.usable);
    json_object(j, "terrain");
    for (uint32_t i = 0; i < 256; i++)
        if (info.terrain[i]) json_integer(j, info_class_name(i, name), (int64_t)info.terrain[i]);
    json_end(j);
    json_text(j, "neighbours", profile_neighbours_name(profile->neighbours));
    json_text(j, "corners", profile_corners_name(profile->corners));
    json_integer(j, "straight_units", scale.straight);
    json_integer(j, "diagonal_units", scale.diagonal);
    json_integer(j, "world_bytes", (int64_t)cairn_grid_bytes(w->grid));
}

/* ---- graphs ---- */

typedef struct info_graph {
    uint32_t nodes, edges, least_degree, most_degree, dead_ends;
    cairn_cost lightest, heaviest;
    double estimate; /* cost units per unit of distance; 0 = nothing is estimated */
} info_graph;

/* What one unit of distance is worth in an estimate, seen on the two nodes farthest apart
 * to the left and to the right. */
static double info_estimate_scale(const world *w, uint32_t nodes)
{
    if (!cairn_graph_has_positions(w->graph)) return 0;
    cairn_node left = 0, right = 0;
    for (cairn_node i = 1; i < nodes; i++) {
        cairn_position p = cairn_graph_localize(w->graph, i);
        if (p.x < cairn_graph_localize(w->graph, left).x) left = i;
        if (p.x > cairn_graph_localize(w->graph, right).x) right = i;
    }
    cairn_position a = cairn_graph_localize(w->graph, left), b = cairn_graph_localize(w->graph, right);
    double distance = hypot(b.x - a.x, b.y - a.y);
    return distance > 0 ? cairn_estimate(w->space, CAIRN_HEURISTIC_EUCLIDEAN, left, right) / distance : 0;
}

static info_graph info_of_graph(const world *w)
{
    info_graph info = {.nodes = cairn_graph_node_count(w->graph),
                       .edges = cairn_graph_edge_count(w->graph),
                       .least_degree = UINT32_MAX,
                       .lightest = CAIRN_NO_COST};
    for (cairn_node node = 0; node < info.nodes; node++) {
        uint32_t degree = cairn_graph_degree(w->graph, node);
        if (degree < info.least_degree) info.least_degree = degree;
        if (degree > info.most_degree) info.most_degree = degree;
        info.dead_ends += degree == 0;
        for (uint32_t i = 0; i < degree; i++) {
            cairn_cost weight = cairn_graph_edge_at(w->graph, node, i).weight;
            if (weight < info.lightest) info.lightest = weight;
            if (weight > info.heaviest) info.heaviest = weight;
        }
    }
    info.estimate = info_estimate_scale(w, info.nodes);
    return info;
}

static void info_print_graph(const world *w)
{
    info_graph info = info_of_graph(w);
    char text[TEXT_SHORT];
    printf("%s: a graph of %s waypoints", w->name, text_count(info.nodes, text));
    printf(" and %s directed edges\n", text_count(info.edges, text));
    printf("  degree     %u to %u, %.2f on average; %s without a way out\n", info.least_degree,
           info.most_degree, (double)info.edges / info.nodes, text_count(info.dead_ends, text));
    if (info.edges) printf("  weights    %u to %u\n", info.lightest, info.heaviest);
    if (info.estimate > 0)
        printf("  estimates  %.6g units of cost per unit of distance\n", info.estimate);
    else
        printf("  estimates  none%s\n",
               cairn_graph_has_positions(w->graph) ? "" : ": there are no positions");
    printf("  memory     %s the graph", text_bytes(cairn_graph_bytes(w->graph), text));
    printf(", %s the space\n", text_bytes(cairn_space_bytes(w->space), text));
}

static void info_json_graph(json *j, const world *w)
{
    info_graph info = info_of_graph(w);
    json_integer(j, "nodes", info.nodes);
    json_integer(j, "edges", info.edges);
    json_integer(j, "degree_min", info.least_degree);
    json_integer(j, "degree_max", info.most_degree);
    json_number(j, "degree_mean", (double)info.edges / info.nodes);
    json_integer(j, "dead_ends", info.dead_ends);
    if (info.edges) {
        json_integer(j, "weight_min", info.lightest);
        json_integer(j, "weight_max", info.heaviest);
    } else {
        json_null(j, "weight_min");
        json_null(j, "weight_max");
    }
    json_bool(j, "positions", cairn_graph_has_positions(w->graph));
    json_number(j, "estimate_scale", info.estimate);
    json_integer(j, "world_bytes", (int64_t)cairn_graph_bytes(w->graph));
}

/* ---- the command ---- */

static void info_print_json(const world *w)
{
    json j = json_to(stdout);
    json_object(&j, NULL);
    json_text(&j, "file", w->name);
    json_text(&j, "world", profile_world_name(cairn_space_world(w->space)));
    json_integer(&j, "version", (int64_t)cairn_space_version(w->space));
    if (w->grid)
        info_json_grid(&j, w);
    else
        info_json_graph(&j, w);
    json_integer(&j, "space_bytes", (int64_t)cairn_space_bytes(w->space));
    json_end(&j);
}

static int info_main(const command *self, int argc, char **argv)
{
    info_options options = {0};
    args_result parsed = args_parse(self, &argc, argv, &options);
    if (parsed != ARGS_GO) return parsed == ARGS_HELPED ? END_OK : END_USAGE;
    if (argc != 1) return complain_usage(self, "info needs one world");
    cairn_profile profile;
    int end = profile_from(self, &options.profile, &profile);
    if (end) return end;
    cairn_context *context = world_context(1);
    if (!context) return END_DATA;
    world w;
    end = world_open(&w, context, argv[0], &profile);
    if (!end && options.json) info_print_json(&w);
    if (!end && !options.json && w.grid) info_print_grid(&w);
    if (!end && !options.json && w.graph) info_print_graph(&w);
    world_close(&w);
    cairn_context_destroy(context);
    return end;
}

const command command_info = {
    .name = "info",
    .summary = "Tell what is in a world",
    .synopsis = "WORLD [options]",
    .details =
        "WORLD is a MovingAI map, a text map, a PNG, a Tiled map (.tmx, .tmj) or a DIMACS graph (.gr, with\n"
        "the .co beside it).\n\n"
        "Examples:\n"
        "  cairn info maps/village.txt\n"
        "  cairn info maps/village.txt --terrain swamp=3,water=0\n"
        "  cairn info roads.gr --json\n",
    .flags = info_flags,
    .flag_count = sizeof info_flags / sizeof info_flags[0],
    .run = info_main,
};
