/* scenes.c: see scenes.h. The drawn ones each have a point: a trap for greedy searches,
 * gaps that only some corner rules let through, islands, corridors; the seeded ones have
 * what nobody would think of drawing.
 */
#include "scenes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void *fresh(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1, size);
    if (!memory) abort();
    return memory;
}

uint32_t scene_random(scene_rng *rng, uint32_t below)
{
    /* xorshift64* (Vigna 2016), not the library's generator; the constant keeps a zero
     * state from sticking. */
    uint64_t x = rng->state ? rng->state : UINT64_C(0x2545f4914f6cdd1d);
    x ^= x >> 12, x ^= x << 25, x ^= x >> 27;
    rng->state = x;
    return (uint32_t)((((x * UINT64_C(0x2545f4914f6cdd1d)) >> 32) * below) >> 32);
}

/* ---- shapes ------------------------------------------------------------------------- */

scene *scene_blank(const char *name, uint32_t width, uint32_t height)
{
    scene *s = fresh(1, sizeof *s);
    s->name = name;
    s->width = width, s->height = height;
    s->open = fresh((size_t)width * height, 1);
    memset(s->open, 1, (size_t)width * height);
    s->profile = cairn_profile_default();
    return s;
}

scene *scene_of_text(const char *name, const char *text)
{
    uint32_t width = (uint32_t)strcspn(text, "\n"), height = 0;
    for (const char *c = text; *c; c++) height += *c == '\n';
    scene *s = scene_blank(name, width, height);
    for (uint32_t i = 0; i < width * height; i++)
        s->open[i] = text[i / width * (width + 1) + i % width] != '#';
    return s;
}

scene *scene_noise(const char *name, uint32_t width, uint32_t height, uint32_t percent,
                   uint64_t seed)
{
    scene *s = scene_blank(name, width, height);
    scene_rng rng = {seed};
    for (uint32_t i = 0; i < width * height; i++) s->open[i] = scene_random(&rng, 100) >= percent;
    return s;
}

scene *scene_rooms(const char *name, uint32_t width, uint32_t height, uint32_t side, uint64_t seed)
{
    scene *s = scene_blank(name, width, height);
    scene_rng rng = {seed};
    uint32_t pitch = side + 1;
    for (uint32_t y = 0; y < height; y++) {
        for (uint32_t x = 0; x < width; x++)
            s->open[y * width + x] = x % pitch != side && y % pitch != side;
    }
    /* Every wall piece gets a door but one in eight. */
    for (uint32_t y = 0; y < height; y += pitch) {
        for (uint32_t x = 0; x < width; x += pitch) {
            uint32_t door_y = y + scene_random(&rng, side), door_x = x + scene_random(&rng, side);
            bool right = scene_random(&rng, 8), below = scene_random(&rng, 8);
            if (right && x + side < width && door_y < height)
                s->open[door_y * width + x + side] = 1;
            if (below && y + side < height && door_x < width)
                s->open[(y + side) * width + door_x] = 1;
        }
    }
    return s;
}

scene *scene_blocks(const char *name, uint32_t width, uint32_t height, uint32_t count,
                    uint64_t seed)
{
    scene *s = scene_blank(name, width, height);
    scene_rng rng = {seed};
    for (uint32_t i = 0; i < count; i++) {
        uint32_t across = 2 + scene_random(&rng, 3), down = 2 + scene_random(&rng, 3);
        uint32_t left = scene_random(&rng, width - across + 1),
                 top = scene_random(&rng, height - down + 1);
        for (uint32_t y = top; y < top + down; y++)
            memset(s->open + (size_t)y * width + left, 0, across);
    }
    return s;
}

scene *scene_serpent(const char *name, uint32_t width, uint32_t height)
{
    scene *s = scene_blank(name, width, height);
    for (uint32_t y = 1; y < height; y += 2) {
        memset(s->open + (size_t)y * width, 0, width);
        s->open[(size_t)y * width + (y % 4 == 1 ? width - 1 : 0)] = 1;
    }
    return s;
}

/* ---- ornaments ---------------------------------------------------------------------- */

void scene_add_terrain(scene *s, uint64_t seed)
{
    static const uint16_t costs[] = {CAIRN_TIMES(1), CAIRN_TIMES(2), 0,
                                     CAIRN_TIMES(9), CAIRN_TIMES(3), CAIRN_TIMES(5)};
    scene_rng rng = {seed};
    s->terrain = fresh((size_t)s->width * s->height, 1);
    memcpy(s->profile.terrain_cost, costs, sizeof costs);
    /* Blots of one class, so that ways round them are worth looking for. */
    for (uint32_t blot = 0; blot < s->width * s->height / 12 + 1; blot++) {
        uint32_t left = scene_random(&rng, s->width), top = scene_random(&rng, s->height);
        uint32_t right = left + 1 + scene_random(&rng, 4), bottom = top + 1 + scene_random(&rng, 4);
        uint8_t kind = (uint8_t)scene_random(&rng, sizeof costs / sizeof *costs);
        if (kind == 2 && scene_random(&rng, 3)) kind = 1; /* forbidden ground is rarer */
        for (uint32_t y = top; y < bottom && y < s->height; y++) {
            for (uint32_t x = left; x < right && x < s->width; x++)
                s->terrain[y * s->width + x] = kind;
        }
    }
}

void scene_add_danger(scene *s, uint64_t seed)
{
    scene_rng rng = {seed};
    s->layer = fresh((size_t)s->width * s->height, 1);
    s->profile.layer_weight = 37;
    for (uint32_t i = 0; i < s->width * s->height; i++) {
        s->layer[i] = (uint8_t)(scene_random(&rng, 3) ? 0 : scene_random(&rng, 256));
    }
}

void scene_add_hills(scene *s, uint64_t seed)
{
    scene_rng rng = {seed};
    s->elevation = fresh((size_t)s->width * s->height, sizeof *s->elevation);
    s->profile.gradient = 150;
    for (uint32_t hill = 0; hill < 6; hill++) {
        int32_t u = (int32_t)scene_random(&rng, s->width),
                v = (int32_t)scene_random(&rng, s->height);
        int32_t top = (int32_t)scene_random(&rng, 15) - 5;
        for (uint32_t i = 0; i < s->width * s->height; i++) {
            int32_t dx = abs((int32_t)(i % s->width) - u), dy = abs((int32_t)(i / s->width) - v);
            int32_t rise = abs(top) - (dx + dy) / 2;
            if (rise > 0) s->elevation[i] = (int16_t)(s->elevation[i] + (top < 0 ? -rise : rise));
        }
    }
}

void scene_add_cliffs(scene *s, uint64_t seed)
{
    scene_rng rng = {seed};
    scene_add_hills(s, seed);
    /* Falling is easier than climbing, so the space is directed. */
    s->profile.max_climb = 2, s->profile.max_drop = 4;
    for (uint32_t i = 0; i < s->width * s->height; i++) {
        if (scene_random(&rng, 5) == 0)
            s->elevation[i] = (int16_t)(s->elevation[i] + (int32_t)scene_random(&rng, 8) - 4);
    }
}

void scene_make_hex(scene *s)
{
    s->hex = true;
    s->profile.neighbours = CAIRN_NEIGHBOURS_HEX;
}

static void scene_link(scene *s, cairn_node from, cairn_node to, uint32_t id, uint32_t cost,
                       uint8_t kind)
{
    if (from != to) s->links[s->link_count++] = (cairn_link){from, to, id, cost, kind};
}

void scene_add_links(scene *s, uint32_t count, uint32_t least, uint32_t most, bool near,
                     uint64_t seed)
{
    scene_rng rng = {seed};
    uint32_t cells = s->width * s->height;
    cairn_link *links = fresh((size_t)s->link_count + (size_t)count * 3, sizeof *links);
    if (s->link_count) memcpy(links, s->links, s->link_count * sizeof *links);
    free(s->links);
    s->links = links;
    s->profile.links = ~(1u << 3);
    for (uint32_t i = 0; i < count; i++) {
        cairn_node from = scene_random(&rng, cells), to = scene_random(&rng, cells);
        if (near) {
            uint32_t x = from % s->width + scene_random(&rng, 3),
                     y = from / s->width + scene_random(&rng, 3);
            if (x < 1 || y < 1 || x > s->width || y > s->height) continue;
            to = (y - 1) * s->width + x - 1;
        }
        uint32_t id = 1000 + (scene_random(&rng, 5) ? i : i / 2),
                 cost = least + scene_random(&rng, most - least + 1);
        uint8_t kind = (uint8_t)scene_random(&rng, 6);
        scene_link(s, from, to, id, cost, kind);
        if (scene_random(&rng, 3) == 0) scene_link(s, to, from, id, cost, kind);
        if (scene_random(&rng, 4) == 0)
            scene_link(s, from, to, id + 5000, cost + scene_random(&rng, 3) - 1, 31);
    }
}

bool scene_rule(const scene *s, uint32_t rule, cairn_profile *profile)
{
    *profile = s->profile;
    if (s->hex) return rule == 0;
    profile->neighbours = rule == 3 ? CAIRN_NEIGHBOURS_4 : CAIRN_NEIGHBOURS_8;
    profile->corners = (cairn_corners)(rule % CAIRN_CORNERS_COUNT);
    return rule < 4;
}

/* ---- the list ----------------------------------------------------------------------- */

static const char trap_text[] = "....................\n"
                                "....................\n"
                                ".....##########.....\n"
                                "..............#.....\n"
                                "..............#.....\n"
                                "..............#.....\n"
                                "..............#.....\n"
                                "..............#.....\n"
                                ".....##########.....\n"
                                "....................\n"
                                "....................\n";

/* Walls with diagonal gaps: never cut sees four closed rooms on the left; one side free
 * and always see more and more. */
static const char gaps_text[] = "....#......#.....\n"
                                "....#.....#......\n"
                                "...#.....#...#...\n"
                                "..#.....#...#.#..\n"
                                "##.....#...#...#.\n"
                                "......#...#.....#\n"
                                ".....#..#..#...#.\n"
                                "#...#..#.#..#.#..\n"
                                ".#.#..#...#..#...\n"
                                "..#....#.#.......\n"
                                ".#.#....#....##..\n"
                                "#...#........##..\n";

static const char islands_text[] = "....#.....#..\n"
                                   "....#.....#..\n"
                                   "....#######..\n"
                                   "#####........\n"
                                   "....#..###...\n"
                                   ".##.#..#.#...\n"
                                   ".##.#..###...\n"
                                   "....#........\n";

static const char spiral_text[] = "...............\n"
                                  ".#############.\n"
                                  ".#...........#.\n"
                                  ".#.#########.#.\n"
                                  ".#.#.......#.#.\n"
                                  ".#.#.#####.#.#.\n"
                                  ".#.#.#...#.#.#.\n"
                                  ".#.#.#.#.#.#.#.\n"
                                  ".#.#...#...#.#.\n"
                                  ".#.#########.#.\n"
                                  ".#...........#.\n"
                                  ".###########.#.\n"
                                  ".............#.\n";

static const char *const scene_names[] = {
    "dot",       "walls",     "open",       "trap",       "gaps",        "islands",  "spiral",
    "serpent",   "strip",     "column",     "light",      "dense",       "rooms",    "tiles",
    "swamps",    "danger",    "hills",      "cliffs",     "everything",  "hex-open", "hex-light",
    "hex-dense", "hex-tiles", "hex-swamps", "hex-cliffs", "wide",        "giant",    "hex-wide",
    "doors",     "portals",   "network",    "ladders",    "hex-portals", "hex-all",  "hex-tight",
    "blocks",    "band",      "tower",
};

uint32_t scene_count(void)
{
    return sizeof scene_names / sizeof *scene_names;
}

scene *scene_named(const char *name)
{
    for (uint32_t i = 0; i < scene_count(); i++) {
        if (!strcmp(scene_names[i], name)) return scene_at(i);
    }
    return NULL;
}

/* Every ornament at once. */
static scene *scene_with_everything(const char *name)
{
    scene *s = scene_noise(name, 31, 29, 12, 77);
    scene_add_terrain(s, 78);
    scene_add_danger(s, 79);
    scene_add_cliffs(s, 80);
    return s;
}

/* The same and more on hexagons, for an agent with a size. */
static scene *scene_with_all_of_it(const char *name)
{
    scene *s = scene_noise(name, 34, 32, 2, 87);
    scene_add_terrain(s, 88);
    scene_add_danger(s, 89);
    scene_add_cliffs(s, 90);
    scene_make_hex(s);
    s->profile.radius = 0.8;
    scene_add_links(s, 12, 100, 3000, false, 91);
    return s;
}

/* Rooms without any door; links lead from one to the next, some of them one way only. */
static scene *scene_with_doors(const char *name)
{
    scene *s = scene_blank(name, 29, 22);
    for (uint32_t i = 0; i < 29 * 22; i++) s->open[i] = i % 29 % 7 != 6 && i / 29 % 7 != 6;
    s->links = fresh(40, sizeof *s->links);
    for (uint32_t room = 0; room < 12; room++) {
        cairn_node a = (room / 4 * 7 + 2) * 29 + room % 4 * 7 + 5,
                   b = a + 2; /* through the wall to the right */
        cairn_node c = (room / 4 * 7 + 5) * 29 + room % 4 * 7 + 1, d = c + 2 * 29; /* and below */
        if (room % 4 < 3) scene_link(s, a, b, room, 512, 0);
        if (room % 4 < 3 && room % 5) scene_link(s, b, a, room, 512, 0);
        if (room < 8 && room % 3) scene_link(s, c, d, 100 + room, 512, (uint8_t)(room % 2));
        if (room < 8 && room % 4 == 0) scene_link(s, d, c, 100 + room, 700, 1);
    }
    return s;
}

static scene *scene_with_ladders(const char *name)
{
    scene *s = scene_of_text(name, islands_text);
    scene_add_links(s, 14, 60000, 90000, false, 61); /* expensive */
    /* to cells beside, mostly cheaper than the step */
    scene_add_links(s, 30, 0, 300, true, 62);
    scene_link(s, 0, 5, 7, 2000, 9);          /* into a room that has no other way in ... */
    scene_link(s, 9, 5 * 13 + 8, 8, 4000, 9); /* ... and on to a cell that has no path out */
    return s;
}

/* Those for which cells are hexagons, agents have a size, or links lead about; and what came
 * later. */
static scene *scene_of_the_second_kind(uint32_t i, const char *name)
{
    scene *s = NULL;
    switch (i) {
    case 19: s = scene_blank(name, 17, 14); break;
    case 20: s = scene_noise(name, 31, 29, 12, 21); break;
    case 21: s = scene_noise(name, 30, 33, 37, 22); break;
    case 22: s = scene_noise(name, 131, 70, 25, 23); break;
    case 23:
        s = scene_noise(name, 27, 30, 8, 24);
        scene_add_terrain(s, 25);
        scene_add_danger(s, 26);
        break;
    case 24:
        s = scene_noise(name, 28, 25, 5, 27);
        scene_add_cliffs(s, 28);
        break;
    case 25:
        s = scene_noise(name, 42, 38, 3, 29);
        s->profile.radius = 1.3;
        break;
    case 26:
        s = scene_noise(name, 40, 37, 3, 30);
        s->profile.footprint = 3;
        break;
    case 27:
        s = scene_noise(name, 40, 37, 3, 31);
        s->profile.radius = 1.2;
        break;
    case 28: s = scene_with_doors(name); break;
    case 29:
        s = scene_noise(name, 33, 30, 20, 32);
        scene_add_links(s, 8, 0, 2000, false, 33);
        break;
    case 30:
        s = scene_noise(name, 60, 40, 25, 34);
        scene_add_links(s, 70, 200, 6000, false, 35);
        break;
    case 31: s = scene_with_ladders(name); break;
    case 32:
        s = scene_noise(name, 32, 28, 20, 36);
        scene_add_links(s, 9, 0, 2500, false, 37);
        scene_add_links(s, 20, 0, 400, true, 38);
        break;
    case 33: s = scene_with_all_of_it(name); break;
    case 34:
        s = scene_noise(name, 36, 33, 9, 39);
        s->profile.radius = 0.4;
        break;
    case 35: s = scene_blocks(name, 41, 32, 40, 40); break;
    case 36: s = scene_noise(name, 131, 13, 15, 41); break;
    default: s = scene_noise(name, 13, 131, 15, 42); break;
    }
    if (!strncmp(name, "hex-", 4)) scene_make_hex(s);
    return s;
}

scene *scene_at(uint32_t i)
{
    if (i >= scene_count()) return NULL;
    const char *name = scene_names[i];
    scene *s = NULL;
    if (i > 18) return scene_of_the_second_kind(i, name);
    switch (i) {
    case 0: return scene_blank(name, 1, 1);
    case 1: return scene_noise(name, 6, 5, 100, 1);
    case 2: return scene_blank(name, 23, 17);
    case 3: return scene_of_text(name, trap_text);
    case 4: return scene_of_text(name, gaps_text);
    case 5: return scene_of_text(name, islands_text);
    case 6: return scene_of_text(name, spiral_text);
    case 7: return scene_serpent(name, 20, 13);
    case 8: return scene_noise(name, 150, 1, 1, 8);
    case 9: return scene_noise(name, 1, 140, 1, 9);
    case 10: return scene_noise(name, 33, 27, 12, 10);
    case 11: return scene_noise(name, 36, 32, 38, 11);
    case 12: return scene_rooms(name, 40, 33, 6, 12);
    case 13: return scene_noise(name, 131, 67, 25, 13);
    case 14:
        s = scene_noise(name, 30, 26, 10, 14);
        scene_add_terrain(s, 15);
        return s;
    case 15:
        s = scene_noise(name, 28, 28, 10, 16);
        scene_add_danger(s, 17);
        return s;
    case 16:
        s = scene_blank(name, 30, 24);
        scene_add_hills(s, 18);
        return s;
    case 17:
        s = scene_noise(name, 29, 27, 5, 19);
        scene_add_cliffs(s, 20);
        return s;
    default: return scene_with_everything(name);
    }
}

void scene_destroy(scene *s)
{
    if (!s) return;
    free(s->open), free(s->terrain), free(s->layer), free(s->added), free(s->elevation);
    free(s->links), free(s);
}

oracle_grid scene_raw(const scene *s)
{
    return (oracle_grid){.width = s->width,
                         .height = s->height,
                         .open = s->open,
                         .terrain = s->terrain,
                         .layer = s->layer,
                         .added = s->added,
                         .elevation = s->elevation,
                         .hex = s->hex,
                         .links = s->links,
                         .link_count = s->link_count};
}

bool scene_differs_in_cost(const scene *s, const cairn_profile *profile)
{
    uint32_t least = UINT32_MAX, most = 0;
    for (size_t i = 0; i < (size_t)s->width * s->height; i++) {
        uint32_t cost = profile->terrain_cost[s->terrain ? s->terrain[i] : 0];
        if (cost && cost < least) least = cost;
        if (cost > most) most = cost;
        if (profile->layer_weight && ((s->layer && s->layer[i]) || (s->added && s->added[i])))
            return true;
        if (profile->gradient && s->elevation && s->elevation[i] != s->elevation[0]) return true;
    }
    return least < most;
}

cairn_status scene_grid(const scene *s, cairn_context *context, cairn_grid **out)
{
    cairn_grid_options options = {.width = s->width,
                                  .height = s->height,
                                  .open = s->open,
                                  .terrain = s->terrain,
                                  .layer = s->layer,
                                  .elevation = s->elevation,
                                  .layout = s->hex ? CAIRN_LAYOUT_HEX : CAIRN_LAYOUT_SQUARE};
    cairn_status status = cairn_grid_create(context, &options, out, NULL);
    for (uint32_t i = 0; i < s->link_count && status == CAIRN_OK; i++) {
        status = cairn_grid_add_link(*out, &s->links[i]);
    }
    if (status == CAIRN_OK && s->link_count) status = cairn_grid_commit(*out);
    if (status != CAIRN_OK) {
        cairn_grid_destroy(*out);
        *out = NULL;
    }
    return status;
}

cairn_node scene_pick(const scene *s, scene_rng *rng)
{
    oracle_grid raw = scene_raw(s);
    uint32_t cells = s->width * s->height;
    cairn_node at = scene_random(rng, cells);
    for (uint32_t tries = 0; tries < 100; tries++, at = scene_random(rng, cells)) {
        if (oracle_may_stand(&raw, &s->profile, at % s->width, at / s->width)) return at;
    }
    for (uint32_t i = 0; i < cells; i++) { /* few are usable: the next one */
        cairn_node next = (at + i) % cells;
        if (oracle_may_stand(&raw, &s->profile, next % s->width, next / s->width)) return next;
    }
    return CAIRN_NO_NODE;
}

/* ---- graphs ------------------------------------------------------------------------- */

static const char *const graph_names[] = {"single", "pairs",    "ring",
                                          "roads",  "directed", "abstract"};

uint32_t graph_scene_count(void)
{
    return sizeof graph_names / sizeof *graph_names;
}

static graph_scene *graph_blank(const char *name, uint32_t nodes, uint32_t edges, bool positions)
{
    graph_scene *s = fresh(1, sizeof *s);
    s->name = name;
    s->node_count = nodes;
    s->edges = fresh(edges, sizeof *s->edges);
    if (positions) s->positions = fresh(nodes, sizeof *s->positions);
    return s;
}

static void graph_join(graph_scene *s, cairn_node from, cairn_node to, uint32_t weight)
{
    s->edges[s->edge_count++] = (cairn_graph_edge){from, to, weight};
}

/* Points thrown on a square, each joined to some others. With positions the weight is a
 * bit more than the distance (times 10), else anything. */
static graph_scene *graph_thrown(const char *name, uint32_t nodes, uint32_t degree, bool positions,
                                 uint64_t seed)
{
    graph_scene *s = graph_blank(name, nodes, nodes * degree, positions);
    scene_rng rng = {seed};
    for (uint32_t i = 0; positions && i < nodes; i++) {
        s->positions[i].x = scene_random(&rng, 10000) / 10.0 - 300;
        s->positions[i].y = scene_random(&rng, 10000) / 10.0;
    }
    for (uint32_t i = 0; i < nodes * degree; i++) {
        cairn_node a = i / degree, b = scene_random(&rng, nodes);
        if (a == b || scene_random(&rng, 6) == 0) continue; /* some nodes stay apart */
        double weight = 1 + scene_random(&rng, 5000);
        if (positions) {
            double dx = s->positions[a].x - s->positions[b].x,
                   dy = s->positions[a].y - s->positions[b].y;
            weight = ceil(10 * sqrt(dx * dx + dy * dy) * (1 + scene_random(&rng, 40) / 100.0)) + 1;
        }
        graph_join(s, a, b, (uint32_t)weight);
    }
    return s;
}

static graph_scene *graph_ring(const char *name, uint32_t nodes)
{
    graph_scene *s = graph_blank(name, nodes, nodes, true);
    for (uint32_t i = 0; i < nodes; i++) {
        /* An octagon-like ring of whole numbers: no sines, the same bytes everywhere. */
        uint32_t quarter = nodes / 4, part = i % quarter;
        double along = part, rest = quarter - part;
        const double corners[4][2] = {
            {rest, along}, {-along, rest}, {-rest, -along}, {along, -rest}};
        s->positions[i].x = corners[i / quarter][0], s->positions[i].y = corners[i / quarter][1];
        graph_join(s, i, (i + 1) % nodes, 3 + i % 5);
    }
    s->both_ways = true;
    return s;
}

/* Several edges between the same two nodes, and one that only leads away. */
static graph_scene *graph_pairs(const char *name)
{
    graph_scene *s = graph_blank(name, 5, 8, true);
    for (uint32_t i = 0; i < 5; i++) s->positions[i].x = 4 * i;
    graph_join(s, 0, 1, 9), graph_join(s, 0, 1, 7), graph_join(s, 0, 1, 8);
    graph_join(s, 1, 2, 7), graph_join(s, 2, 3, 6), graph_join(s, 0, 3, 30);
    graph_join(s, 3, 0, 25), graph_join(s, 3, 4, 5);
    return s;
}

graph_scene *graph_scene_at(uint32_t i)
{
    if (i >= graph_scene_count()) return NULL;
    const char *name = graph_names[i];
    graph_scene *s = NULL;
    switch (i) {
    case 0: return graph_blank(name, 1, 0, true);
    case 1: return graph_pairs(name);
    case 2: return graph_ring(name, 40);
    case 3:
        s = graph_thrown(name, 600, 3, true, 31);
        s->both_ways = true;
        return s;
    case 4: return graph_thrown(name, 300, 2, true, 32);
    default: return graph_thrown(name, 140, 3, false, 33);
    }
}

void graph_scene_destroy(graph_scene *s)
{
    if (!s) return;
    free(s->positions), free(s->edges), free(s);
}

cairn_status graph_scene_graph(const graph_scene *s, cairn_context *context, cairn_graph **out)
{
    cairn_graph_options options = {.node_count = s->node_count,
                                   .edge_count = s->edge_count,
                                   .positions = s->positions,
                                   .edges = s->edges,
                                   .both_ways = s->both_ways};
    return cairn_graph_create(context, &options, out, NULL);
}
