/* cmd_info.c: `cairn info`: what is in a world, how the agent sees it, and what else a `.cairn`
 * file holds. */
#include "command.h"
#include "json.h"
#include "profile.h"
#include "repro.h"
#include "text.h"
#include "world.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct info_options {
    profile_options profile;
    bool json;
} info_options;

static const arg_flag info_flags[] = {PROFILE_FLAGS(info_options, profile), FLAG_MAX_CELLS,
                                      FLAG_JSON(info_options, json)};

/* ---- connected components ---- */

typedef struct info_components {
    uint32_t count, largest;
    double share; /* of the largest, in all nodes that can be stood on */
} info_components;

static int info_find_components(const world *w, uint64_t usable, info_components *out)
{
    if (cairn_space_components(w->space, &out->count, &out->largest)) {
        complain("%s: there is not enough memory to count the components", w->name);
        return END_DATA;
    }
    out->share = usable ? (double)out->largest / (double)usable : 0;
    return END_OK;
}

static void info_print_components(const info_components *components)
{
    char text[TEXT_SHORT];
    printf("  components %s", text_count(components->count, text));
    if (components->count > 1)
        printf(", %.1f %% of the nodes in the largest", 100 * components->share);
    printf("\n");
}

static void info_json_components(json *j, const info_components *components)
{
    json_integer(j, "regions", components->count);
    json_integer(j, "largest_region", components->largest);
}

/* ---- grids ---- */

typedef struct info_grid {
    uint32_t width, height;
    uint64_t open, usable;
    uint64_t terrain[256]; /* open cells of each class */
    uint64_t costly;       /* open cells with an extra cost */
    uint32_t most_layer;   /* the greatest of these costs */
    int32_t lowest, highest;
    bool hex;
    info_components components;
} info_grid;

typedef struct info_graph {
    uint32_t nodes, edges, least_degree, most_degree, dead_ends;
    cairn_cost lightest, heaviest;
    double estimate;        /* cost units per unit of distance; 0 = nothing is estimated */
    double lowest, highest; /* z of the positions; both 0 if the graph is flat */
    info_components components;
} info_graph;

typedef union info_facts {
    info_grid grid;
    info_graph graph;
} info_facts;

static void info_add_cell(const world *w, int32_t x, int32_t y, info_grid *info)
{
    uint32_t layer = cairn_grid_layer(w->grid, x, y);
    int32_t height = cairn_grid_elevation(w->grid, x, y);
    if (!info->open || height < info->lowest) info->lowest = height;
    if (!info->open || height > info->highest) info->highest = height;
    info->open++;
    info->terrain[cairn_grid_terrain(w->grid, x, y)]++;
    info->usable += cairn_space_usable(w->space, cairn_grid_node(w->grid, x, y));
    info->costly += layer > 0;
    if (layer > info->most_layer) info->most_layer = layer;
}

static int info_of_grid(const world *w, info_facts *facts)
{
    info_grid *info = &facts->grid;
    *info = (info_grid){.width = cairn_grid_width(w->grid),
                        .height = cairn_grid_height(w->grid),
                        .hex = cairn_grid_layout(w->grid) == CAIRN_LAYOUT_HEX};
    for (uint32_t y = 0; y < info->height; y++) {
        for (uint32_t x = 0; x < info->width; x++)
            if (cairn_grid_is_open(w->grid, (int32_t)x, (int32_t)y))
                info_add_cell(w, (int32_t)x, (int32_t)y, info);
    }
    return info_find_components(w, info->usable, &info->components);
}

static const char *info_class_name(uint32_t class, char out[16])
{
    const char *name = cairn_terrain_name(class);
    if (name)
        snprintf(out, 16, "%s", name);
    else
        snprintf(out, 16, "%u", class);
    return out;
}

static void info_print_terrain(const info_grid *info, const cairn_profile *profile)
{
    char text[TEXT_SHORT], name[16];
    for (uint32_t i = 0; i < 256; i++) {
        if (!info->terrain[i]) continue;
        printf("  %-10s %s cells, ", info_class_name(i, name), text_count(info->terrain[i], text));
        if (profile->terrain_cost[i])
            printf("cost %.5g\n", profile->terrain_cost[i] / 256.0);
        else
            printf("forbidden\n");
    }
    if (info->costly)
        printf("  extra cost %s cells, up to %u\n", text_count(info->costly, text),
               info->most_layer);
    if (info->lowest != info->highest)
        printf("  heights    %d to %d\n", info->lowest, info->highest);
}

/* Only what differs from an agent as small as a cell that minds nothing. */
static void info_print_agent(const info_grid *info, const cairn_profile *profile)
{
    if (info->hex)
        printf("  agent      6 neighbours");
    else
        printf("  agent      %s neighbours, corners %s",
               profile_neighbours_name(profile->neighbours),
               profile_corners_name(profile->corners));
    if (profile->footprint > 1)
        printf(", %u x %u cells large", profile->footprint, profile->footprint);
    else if (profile_is_sized(profile))
        printf(", radius %g", profile->radius);
    printf("\n");
}

static void info_print_grid(const world *w, const info_facts *facts)
{
    const info_grid info = facts->grid;
    const cairn_profile *profile = cairn_space_profile(w->space);
    cairn_scale scale = cairn_space_scale(w->space);
    char text[TEXT_SHORT];
    uint64_t cells = (uint64_t)info.width * info.height;
    say("%s: a grid of %u x %u%s\n", w->name, info.width, info.height, info.hex ? " hexagons" : "");
    printf("  cells      %s", text_count(cells, text));
    printf(", %s open", text_count(info.open, text));
    printf(" (%.1f %%)", 100.0 * (double)info.open / (double)cells);
    printf(", %s usable for this agent\n", text_count(info.usable, text));
    info_print_terrain(&info, profile);
    if (cairn_grid_link_count(w->grid))
        printf("  links      %s\n", text_count(cairn_grid_link_count(w->grid), text));
    info_print_components(&info.components);
    info_print_agent(&info, profile);
    if (info.hex)
        printf("  costs      a step %u units\n", scale.straight);
    else
        printf("  costs      a straight step %u units, a diagonal one %u\n", scale.straight,
               scale.diagonal);
    printf("  memory     %s the grid", text_bytes(cairn_grid_bytes(w->grid), text));
    printf(", %s the space\n", text_bytes(cairn_space_bytes(w->space), text));
    printf("  version    %llu\n", (unsigned long long)cairn_grid_version(w->grid));
}

static void info_json_agent(json *j, const info_grid *info, const cairn_profile *profile,
                            cairn_scale scale)
{
    json_text(j, "neighbours", profile_neighbours_name(profile->neighbours));
    if (!info->hex) json_text(j, "corners", profile_corners_name(profile->corners));
    json_number(j, "radius", profile->radius);
    json_integer(j, "footprint", profile->footprint > 1 ? profile->footprint : 1);
    json_integer(j, "straight_units", scale.straight);
    if (!info->hex) json_integer(j, "diagonal_units", scale.diagonal);
}

static void info_json_grid(json *j, const world *w, const info_facts *facts)
{
    const info_grid *info = &facts->grid;
    char name[16];
    json_integer(j, "width", info->width);
    json_integer(j, "height", info->height);
    json_text(j, "layout", info->hex ? "hex" : "square");
    json_integer(j, "cells", (int64_t)info->width * info->height);
    json_integer(j, "open", (int64_t)info->open);
    json_integer(j, "usable", (int64_t)info->usable);
    json_object(j, "terrain");
    for (uint32_t i = 0; i < 256; i++)
        if (info->terrain[i]) json_integer(j, info_class_name(i, name), (int64_t)info->terrain[i]);
    json_end(j);
    json_integer(j, "extra_cost_cells", (int64_t)info->costly);
    json_integer(j, "extra_cost_max", info->most_layer);
    json_integer(j, "height_min", info->lowest);
    json_integer(j, "height_max", info->highest);
    json_integer(j, "links", cairn_grid_link_count(w->grid));
    info_json_components(j, &info->components);
    info_json_agent(j, info, cairn_space_profile(w->space), cairn_space_scale(w->space));
    json_integer(j, "world_bytes", (int64_t)cairn_grid_bytes(w->grid));
}

/* ---- graphs ---- */

/* What one unit of distance is worth in an estimate, seen on the two nodes farthest apart
 * to the left and to the right. */
static double info_estimate_scale(const world *w, uint32_t nodes)
{
    if (!cairn_graph_has_positions(w->graph)) return 0;
    cairn_node left = 0, right = 0;
    for (cairn_node i = 1; i < nodes; i++) {
        cairn_position p = cairn_graph_position(w->graph, i);
        if (p.x < cairn_graph_position(w->graph, left).x) left = i;
        if (p.x > cairn_graph_position(w->graph, right).x) right = i;
    }
    cairn_position a = cairn_graph_position(w->graph, left),
                   b = cairn_graph_position(w->graph, right);
    double distance = hypot(hypot(b.x - a.x, b.y - a.y), b.z - a.z);
    return distance > 0
               ? cairn_estimate(w->space, CAIRN_HEURISTIC_EUCLIDEAN, left, right) / distance
               : 0;
}

static void info_find_heights(const world *w, info_graph *info)
{
    info->lowest = info->highest = cairn_graph_position(w->graph, 0).z;
    for (cairn_node i = 1; i < info->nodes; i++) {
        double z = cairn_graph_position(w->graph, i).z;
        if (z < info->lowest) info->lowest = z;
        if (z > info->highest) info->highest = z;
    }
}

static bool info_is_tall(const info_graph *info)
{
    return info->lowest != 0 || info->highest != 0;
}

static int info_of_graph(const world *w, info_facts *facts)
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
    info_find_heights(w, &info);
    int end = info_find_components(w, info.nodes, &info.components);
    facts->graph = info;
    return end;
}

static void info_print_graph(const world *w, const info_facts *facts)
{
    const info_graph info = facts->graph;
    char text[TEXT_SHORT];
    say("%s: a graph of %s waypoints", w->name, text_count(info.nodes, text));
    printf(" and %s directed edges\n", text_count(info.edges, text));
    printf("  degree     %u to %u, %.2f on average; %s without an edge out\n", info.least_degree,
           info.most_degree, (double)info.edges / info.nodes, text_count(info.dead_ends, text));
    if (info.edges) printf("  weights    %u to %u\n", info.lightest, info.heaviest);
    if (info_is_tall(&info)) printf("  heights    %g to %g\n", info.lowest, info.highest);
    if (info.estimate > 0)
        printf("  estimates  %.6g units of cost per unit of distance\n", info.estimate);
    else
        printf("  estimates  none%s\n",
               cairn_graph_has_positions(w->graph) ? "" : ": there are no positions");
    info_print_components(&info.components);
    printf("  memory     %s the graph", text_bytes(cairn_graph_bytes(w->graph), text));
    printf(", %s the space\n", text_bytes(cairn_space_bytes(w->space), text));
}

static void info_json_graph(json *j, const world *w, const info_facts *facts)
{
    const info_graph *info = &facts->graph;
    json_integer(j, "nodes", info->nodes);
    json_integer(j, "edges", info->edges);
    json_integer(j, "degree_min", info->least_degree);
    json_integer(j, "degree_max", info->most_degree);
    json_number(j, "degree_mean", (double)info->edges / info->nodes);
    json_integer(j, "dead_ends", info->dead_ends);
    if (info->edges) {
        json_integer(j, "weight_min", info->lightest);
        json_integer(j, "weight_max", info->heaviest);
    } else {
        json_null(j, "weight_min");
        json_null(j, "weight_max");
    }
    json_bool(j, "positions", cairn_graph_has_positions(w->graph));
    json_number(j, "estimate_scale", info->estimate);
    if (info_is_tall(info)) {
        json_number(j, "z_min", info->lowest);
        json_number(j, "z_max", info->highest);
    }
    info_json_components(j, &info->components);
    json_integer(j, "world_bytes", (int64_t)cairn_graph_bytes(w->graph));
}

/* ---- the kinds ---- */

/* How the facts of a kind of world are found and told. */
typedef struct info_kind {
    const world_kind *kind;
    int (*find)(const world *w, info_facts *facts);
    void (*print)(const world *w, const info_facts *facts);
    void (*json)(json *j, const world *w, const info_facts *facts);
} info_kind;

static const info_kind info_kinds[] = {
    {&world_kind_grid, info_of_grid, info_print_grid, info_json_grid},
    {&world_kind_graph, info_of_graph, info_print_graph, info_json_graph},
};

/* NULL if there is no world. */
static const info_kind *info_kind_of(const world *w)
{
    const world_kind *kind = world_kind_of(w);
    for (size_t i = 0; i < sizeof info_kinds / sizeof *info_kinds; i++)
        if (info_kinds[i].kind == kind) return &info_kinds[i];
    return NULL;
}

/* ---- what else a `.cairn` file holds ---- */

typedef struct info_file {
    bool has_index;
    cairn_index_info index;
    repro question;
    char version[REPRO_TEXT];
} info_file;

static int info_of_file(const world *w, info_file *out)
{
    *out = (info_file){.has_index = cairn_archive_has(w->archive, "index")};
    cairn_error error = {0};
    if (out->has_index) error.status = cairn_archive_index(w->archive, &out->index, &error);
    if (error.status) return world_complain(w->name, &error);
    /* Places need a world to be named. */
    int end = world_kind_of(w) ? repro_read(&out->question, w) : END_OK;
    return end || repro_text(w, "repro.version", out->version) ? end : END_DATA;
}

static void info_print_file(const world *w, const info_file *file)
{
    char text[TEXT_SHORT];
    const repro *r = &file->question;
    if (file->has_index)
        say("  index      %s, of a world of %s nodes\n", file->index.spec,
            text_count(file->index.node_count, text));
    if (r->has_query && r->to[0])
        say("  query      from %s to %s", r->from, r->to);
    else if (r->has_query)
        say("  query      from %s to %u goals", r->from, r->query.goal_count);
    if (r->has_query) say("%s%s\n", r->algorithm[0] ? ", " : "", r->algorithm);
    if (file->version[0]) say("  written by Cairn %s\n", file->version);
    printf("  sections  ");
    const char *name;
    size_t size;
    for (uint32_t i = 0; (name = cairn_archive_section_name(w->archive, i, &size)); i++)
        say("%s %s %s", i ? "," : "", name, text_bytes(size, text));
    printf("\n");
}

static void info_json_file(json *j, const world *w, const info_file *file)
{
    const repro *r = &file->question;
    json_text(j, "index", file->has_index ? file->index.spec : NULL);
    if (r->has_query) {
        json_object(j, "query");
        json_text(j, "from", r->from);
        json_text(j, "to", r->to[0] ? r->to : NULL);
        json_integer(j, "goals", r->query.goal_count);
        json_text(j, "algorithm", r->algorithm[0] ? r->algorithm : NULL);
        json_end(j);
    } else {
        json_null(j, "query");
    }
    json_text(j, "written_by", file->version[0] ? file->version : NULL);
    json_object(j, "sections");
    const char *name;
    size_t size;
    for (uint32_t i = 0; (name = cairn_archive_section_name(w->archive, i, &size)); i++)
        json_integer(j, name, (int64_t)size);
    json_end(j);
}

/* ---- the command ---- */

static int info_print_json(const world *w, const info_file *file)
{
    info_facts facts;
    const info_kind *kind = info_kind_of(w);
    int end = kind ? kind->find(w, &facts) : END_OK;
    if (end) return end;
    json j = json_to(stdout);
    json_object(&j, NULL);
    json_text(&j, "file", w->name);
    json_text(&j, "world", kind ? kind->kind->name : NULL);
    if (w->space) json_integer(&j, "version", (int64_t)cairn_space_version(w->space));
    if (kind) kind->json(&j, w, &facts);
    if (w->space) json_integer(&j, "space_bytes", (int64_t)cairn_space_bytes(w->space));
    if (w->archive) info_json_file(&j, w, file);
    json_end(&j);
    return END_OK;
}

static int info_print(const world *w, const info_file *file)
{
    info_facts facts;
    const info_kind *kind = info_kind_of(w);
    int end = kind ? kind->find(w, &facts) : END_OK;
    if (end) return end;
    if (kind)
        kind->print(w, &facts);
    else
        say("%s: a .cairn file without a world\n", w->name);
    if (w->archive) info_print_file(w, file);
    return END_OK;
}

static int info_main(const command *self, int argc, char **argv)
{
    info_options options = {0};
    args_result parsed = args_parse(self, &argc, argv, &options);
    if (parsed != ARGS_GO) return parsed == ARGS_HELPED ? END_OK : END_USAGE;
    if (argc != 1) return complain_count(self, "one world", argc, "maps/village.txt");
    cairn_context *context = world_context(1);
    if (!context) return END_DATA;
    world w;
    info_file file;
    int end = world_read(&w, context, argv[0]);
    const char *given = profile_given(&options.profile);
    if (!end && world_kind_of(&w))
        end = world_enter(self, &w, &options.profile);
    else if (!end && given)
        end = complain_usage(self, "%s holds no world, so --%s has no effect: leave it out",
                             argv[0], given);
    if (!end) end = info_of_file(&w, &file);
    if (!end) end = options.json ? info_print_json(&w, &file) : info_print(&w, &file);
    world_close(&w);
    cairn_context_destroy(context);
    return end;
}

const command command_info = {
    .name = "info",
    .summary = "Describe a world",
    .synopsis = "WORLD [options]",
    .details = "WORLD is " WORLD_KINDS ". For\n"
               ".cairn files it also lists what else is in them: an index, a query, the version "
               "that wrote it.\n"
               "\n"
               "Examples:\n"
               "  cairn info maps/village.txt\n"
               "  cairn info maps/village.txt --terrain swamp=3,water=0\n"
               "  cairn info roads.gr --json\n",
    .flags = info_flags,
    .flag_count = sizeof info_flags / sizeof info_flags[0],
    .run = info_main,
};
