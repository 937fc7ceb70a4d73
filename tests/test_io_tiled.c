/* test_io_tiled.c: maps of the editor Tiled. Files are written here from one table of tiles, in
 * both syntaxes, with every way to write tiles, every orientation, finite and infinite; what they
 * must become is worked out from the table. Then what properties, names and options mean, and files
 * that are wrong or hostile.
 */
#define _POSIX_C_SOURCE 200809L
#include "support.h"

#include <cairn/io.h>
#include <sys/stat.h>
#include <zlib.h>
#include <zstd.h>

/* ---- text that grows ---- */

typedef struct text {
    char *data;
    size_t size;
} text;

static void put_bytes(text *t, const void *data, size_t size)
{
    t->data = realloc(t->data, t->size + size + 1);
    if (!t->data) abort();
    memcpy(t->data + t->size, data, size);
    t->size += size;
    t->data[t->size] = 0;
}

static void put(text *t, const char *format, ...)
{
    char line[2000];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    assert_in_range(length, 0, sizeof line - 1);
    put_bytes(t, line, (size_t)length);
}

static void text_free(text *t)
{
    free(t->data);
    *t = (text){0};
}

/* ---- packing ---- */

typedef enum way { ELEMENTS, CSV, BASE64, ZLIB, GZIP, ZSTD, WAYS } way;

static const char *const way_names[] = {"elements", "csv", "base64", "zlib", "gzip", "zstd"};

static text packed(const uint8_t *bytes, size_t size, way how)
{
    text out = {0};
    size_t room = size + size / 100 + 1000;
    out.data = malloc(room + 1);
    if (how == ZSTD) {
        out.size = ZSTD_compress(out.data, room, bytes, size, 3);
        assert_false(ZSTD_isError(out.size));
    } else if (how == ZLIB || how == GZIP) {
        z_stream stream = {.next_in = (Bytef *)(uintptr_t)bytes, .avail_in = (uInt)size};
        stream.next_out = (Bytef *)out.data;
        stream.avail_out = (uInt)room;
        assert_int_equal(
            deflateInit2(&stream, 9, Z_DEFLATED, how == GZIP ? 31 : 15, 8, Z_DEFAULT_STRATEGY),
            Z_OK);
        assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
        out.size = stream.total_out;
        deflateEnd(&stream);
    } else {
        memcpy(out.data, bytes, size);
        out.size = size;
    }
    return out;
}

static void put_base64(text *t, const uint8_t *bytes, size_t size)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < size; i += 3) {
        uint32_t bits = (uint32_t)bytes[i] << 16;
        if (i + 1 < size) bits |= (uint32_t)bytes[i + 1] << 8;
        if (i + 2 < size) bits |= bytes[i + 2];
        char group[4] = {digits[bits >> 18], digits[bits >> 12 & 63],
                         i + 1 < size ? digits[bits >> 6 & 63] : '=',
                         i + 2 < size ? digits[bits & 63] : '='};
        put_bytes(t, group, 4);
    }
}

static void put_packed(text *t, const uint32_t *tiles, size_t count, way how)
{
    uint8_t *bytes = malloc(count * 4);
    for (size_t i = 0; i < count; i++) {
        for (int b = 0; b < 4; b++) bytes[4 * i + (size_t)b] = (uint8_t)(tiles[i] >> (8 * b));
    }
    text small = packed(bytes, count * 4, how);
    put_base64(t, (const uint8_t *)small.data, small.size);
    text_free(&small);
    free(bytes);
}

/* ---- the table ---- */

enum { SIDE = 12, LAYERS = 4, KINDS = 8 };

/* Layers from below: visible, visible, hidden, and "Walls". */
typedef struct table {
    int32_t x, y; /* of the first cell */
    uint32_t width, height;
    uint32_t tiles[LAYERS][SIDE][SIDE];
} table;

/* What a tile of number i says, apart from the layer. */
static const struct {
    int blocked, terrain, cost; /* -1 = nothing */
} says[KINDS] = {{-1, -1, -1}, {-1, -1, -1}, {1, -1, -1}, {-1, 2, -1},
                 {-1, 7, 9},   {1, 3, -1},   {0, 0, 0},   {-1, -1, 200}};

static const char *const layer_names[LAYERS] = {"ground", "plants", "secret", "Walls"};

static uint32_t next_random(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*seed >> 33);
}

static table random_table(int32_t x, int32_t y, uint32_t width, uint32_t height, uint64_t seed)
{
    table t = {.x = x, .y = y, .width = width, .height = height};
    for (uint32_t l = 0; l < LAYERS; l++) {
        for (uint32_t i = 0; i < width * height; i++) {
            uint32_t tile = next_random(&seed) % KINDS;
            if (l && next_random(&seed) % 3) tile = 0;
            if (tile) tile |= (next_random(&seed) & 15u) << 28; /* flipped and turned */
            t.tiles[l][i / width][i % width] = tile;
        }
    }
    return t;
}

typedef struct expected {
    bool open;
    int terrain, cost;
} expected;

static expected expect(const table *t, uint32_t x, uint32_t y)
{
    bool any = false, blocked = false;
    expected e = {0};
    for (uint32_t l = 0; l < LAYERS; l++) {
        uint32_t tile = t->tiles[l][y][x] & 0x0fffffff;
        if (l == 2 || !tile) continue;
        any = true;
        int b = says[tile].blocked;
        if (b < 0 && l == 3) b = 1;
        blocked |= b == 1;
        if (says[tile].terrain >= 0) e.terrain = says[tile].terrain;
        if (says[tile].cost >= 0) e.cost = says[tile].cost;
    }
    e.open = any && !blocked;
    return e;
}

/* ---- writing it ---- */

typedef struct shape {
    bool json, infinite;
    way how;
    const char *orientation, *axis, *index; /* axis and index: NULL = not hexagonal */
} shape;

static void put_tileset(text *t, bool json)
{
    if (json) {
        put(t,
            "{\"firstgid\":1,\"name\":\"all\",\"tilecount\":7,\"tiles\":[\n"
            "{\"id\":1,\"properties\":[{\"name\":\"blocked\",\"type\":\"bool\",\"value\":true}]},\n"
            "{\"id\":2,\"properties\":[{\"name\":\"terrain\",\"type\":\"string\",\"value\":"
            "\"Water\"}]},\n"
            "{\"id\":3,\"properties\":[{\"name\":\"terrain\",\"type\":\"int\",\"value\":7},"
            "{\"name\":\"cost\",\"type\":\"float\",\"value\":9.0},{\"name\":\"colour\",\"value\":{"
            "\"walkable\":1}}]},\n"
            "{\"id\":4,\"properties\":[{\"name\":\"Walkable\",\"type\":\"bool\",\"value\":false},"
            "{\"name\":\"terrain\",\"type\":\"string\",\"value\":\"trees\"}]},\n"
            "{\"id\":6,\"properties\":{\"cost\":200}}],\n"
            "\"tileproperties\":{\"5\":{\"solid\":false,\"collides\":false,\"terrain\":0,\"cost\":"
            "\"0\"}}}");
    } else {
        put(t,
            " <tileset firstgid=\"1\" name=\"all\" tilewidth=\"16\" tileheight=\"16\" "
            "tilecount=\"7\" columns=\"7\">\n"
            "  <image source=\"all.png\" width=\"112\" height=\"16\"/>\n"
            "  <tile id=\"1\"><properties><property name=\"blocked\" type=\"bool\" "
            "value=\"true\"/></properties></tile>\n"
            "  <tile id=\"2\"><properties><property name=\"terrain\" "
            "value=\"Water\"/></properties></tile>\n"
            "  <tile id=\"3\"><properties><property name=\"terrain\" type=\"int\" value=\"7\"/>"
            "<property name=\"colour\" type=\"class\"><properties><property name=\"blocked\" "
            "value=\"true\"/>"
            "</properties></property><property name=\"cost\" type=\"int\" "
            "value=\"9\"/></properties>\n"
            "   <objectgroup><object id=\"1\"><properties><property name=\"solid\" value=\"true\"/>"
            "</properties></object></objectgroup></tile>\n"
            "  <tile id=\"4\"><properties><property name=\"Walkable\" type=\"bool\" "
            "value=\"false\"/>"
            "<property name=\"terrain\" value=\"trees\"/></properties></tile>\n"
            "  <tile id=\"5\"><properties><property name=\"solid\" type=\"bool\" value=\"false\"/>"
            "<property name=\"collides\" value=\"0\"/><property name=\"terrain\" value=\"0\"/>"
            "<property name=\"cost\" value=\"0\"/></properties></tile>\n"
            "  <tile id=\"6\"><properties><property name=\"cost\" "
            "value=\"200\"/></properties></tile>\n"
            " </tileset>\n");
    }
}

static void put_tiles(text *t, const shape *s, const uint32_t *tiles, uint32_t count,
                      uint32_t width)
{
    bool quoted = s->json && s->how > CSV;
    if (s->json) put(t, quoted ? "\"" : "[");
    if (s->how > CSV) {
        if (!s->json) put(t, "\n   ");
        put_packed(t, tiles, count, s->how);
        if (!s->json) put(t, "\n  ");
    } else {
        for (uint32_t i = 0; i < count; i++) {
            if (s->json || s->how == CSV)
                put(t, "%s%s%u", i ? "," : "", i % width ? "" : "\n", tiles[i]);
            else if (tiles[i])
                put(t, "<tile gid=\"%u\"/>%s", tiles[i], i % width ? "" : "\n");
            else
                put(t, "<tile/>");
        }
    }
    if (s->json) put(t, quoted ? "\"" : "]");
}

/* A part of a layer, with empty tiles where it reaches beyond the table. */
static void put_part(text *t, const shape *s, const table *from, uint32_t layer, int32_t x,
                     int32_t y, uint32_t width, uint32_t height)
{
    uint32_t tiles[SIDE * SIDE] = {0};
    for (uint32_t i = 0; i < width * height; i++) {
        int64_t column = (int64_t)x + i % width - from->x, row = (int64_t)y + i / width - from->y;
        bool inside = column >= 0 && row >= 0 && column < from->width && row < from->height;
        if (inside) tiles[i] = from->tiles[layer][row][column];
    }
    put_tiles(t, s, tiles, width * height, width);
}

static int32_t chunk_start(int32_t v)
{
    int32_t q = v / 4 * 4;
    return q > v ? q - 4 : q;
}

static void put_chunks(text *t, const shape *s, const table *from, uint32_t layer)
{
    int32_t right = from->x + (int32_t)from->width, bottom = from->y + (int32_t)from->height;
    bool first = true;
    for (int32_t y = chunk_start(from->y); y < bottom; y += 4) {
        for (int32_t x = chunk_start(from->x); x < right; x += 4) {
            if (s->json)
                put(t,
                    "%s{\"x\":%d,\"y\":%d,\"width\":4,\"height\":4,\"data\":", first ? "" : ",\n",
                    x, y);
            else
                put(t, "   <chunk x=\"%d\" y=\"%d\" width=\"4\" height=\"4\">", x, y);
            put_part(t, s, from, layer, x, y, 4, 4);
            put(t, s->json ? "}" : "</chunk>\n");
            first = false;
        }
    }
}

static void put_layer(text *t, const shape *s, const table *from, uint32_t layer)
{
    static const char *const packing[WAYS] = {"", "", "", "zlib", "gzip", "zstd"};
    bool visible = layer < 2;
    if (s->json) {
        put(t, "{\"name\":\"%s\",\"type\":\"tilelayer\",\"visible\":%s,\"width\":%u,\"height\":%u,",
            layer_names[layer], visible ? "true" : "false", from->width, from->height);
        if (s->how > CSV)
            put(t, "\"encoding\":\"base64\",\"compression\":\"%s\",", packing[s->how]);
        put(t, s->infinite ? "\"chunks\":[" : "\"data\":");
    } else {
        put(t, " <layer id=\"%u\" name=\"%s\"%s width=\"%u\" height=\"%u\">\n  <data", layer + 1,
            layer_names[layer], visible ? "" : " visible=\"0\"", from->width, from->height);
        if (s->how != ELEMENTS) put(t, " encoding=\"%s\"", s->how == CSV ? "csv" : "base64");
        if (*packing[s->how]) put(t, " compression=\"%s\"", packing[s->how]);
        put(t, ">");
    }
    if (s->infinite)
        put_chunks(t, s, from, layer);
    else
        put_part(t, s, from, layer, 0, 0, from->width, from->height);
    if (s->json)
        put(t, s->infinite ? "]}" : "}");
    else
        put(t, "</data>\n </layer>\n");
}

/* The plants are in a group, the group in a group. */
static text write_map(const table *from, const shape *s)
{
    text t = {0};
    if (s->json) {
        put(&t, "{\"orientation\":\"%s\",\"infinite\":%s,\"width\":%u,\"height\":%u,",
            s->orientation, s->infinite ? "true" : "false", from->width, from->height);
        if (s->axis)
            put(&t, "\"staggeraxis\":\"%s\",\"staggerindex\":\"%s\",\"hexsidelength\":8,", s->axis,
                s->index);
        put(&t, "\"layers\":[\n");
    } else {
        put(&t,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<map version=\"1.10\" orientation=\"%s\" "
            "infinite=\"%d\" "
            "width=\"%u\" height=\"%u\" tilewidth=\"16\" tileheight=\"16\"",
            s->orientation, s->infinite, from->width, from->height);
        if (s->axis)
            put(&t, " staggeraxis=\"%s\" staggerindex=\"%s\" hexsidelength=\"8\"", s->axis,
                s->index);
        put(&t, ">\n");
        put_tileset(&t, false);
    }
    for (uint32_t l = 0; l < LAYERS; l++) {
        if (s->json && l) put(&t, ",\n");
        if (l == 1)
            put(&t, s->json ? "{\"type\":\"group\",\"layers\":[{\"type\":\"group\",\"visible\":"
                              "true,\"layers\":["
                            : "<group name=\"a\"><group name=\"b\">\n");
        put_layer(&t, s, from, l);
        if (l == 1) put(&t, s->json ? "]}]}" : "</group></group>\n");
    }
    if (s->json) {
        put(&t, ",{\"type\":\"objectgroup\",\"objects\":[]}],\n\"tilesets\":[");
        put_tileset(&t, true);
        put(&t, "]}\n");
    } else {
        put(&t,
            " <objectgroup id=\"9\" name=\"collision\"><object id=\"1\"/></objectgroup>\n</map>\n");
    }
    return t;
}

/* ---- reading it ---- */

static cairn_grid *parse(cairn_context *context, text t, const cairn_tiled_options *options,
                         cairn_tiled_place *place)
{
    cairn_grid *grid = NULL;
    cairn_error error = {0};
    cairn_tiled_options all = options ? *options : cairn_tiled_defaults();
    all.place = place;
    cairn_status status =
        cairn_tiled_parse(context, (cairn_bytes){t.data, t.size}, &all, &grid, &error);
    CHECK(status == CAIRN_OK, "line %u: %s\n%s", error.line, error.text, t.data);
    return grid;
}

/* Every cell of the table is where `place` says, and all others are blocked. */
static void check_grid(const cairn_grid *grid, const table *from, const cairn_tiled_place *place,
                       const char *what)
{
    uint32_t open = 0, cells = cairn_grid_width(grid) * cairn_grid_height(grid);
    for (uint32_t y = 0; y < from->height; y++) {
        for (uint32_t x = 0; x < from->width; x++) {
            cairn_cell c = cairn_tiled_cell(place, from->x + (int32_t)x, from->y + (int32_t)y);
            expected e = expect(from, x, y);
            assert_true(cairn_grid_inside(grid, c.x, c.y));
            CHECK(cairn_grid_is_open(grid, c.x, c.y) == e.open, "%s: cell (%u,%u)", what, x, y);
            CHECK(cairn_grid_terrain(grid, c.x, c.y) == e.terrain, "%s: cell (%u,%u)", what, x, y);
            CHECK(cairn_grid_layer(grid, c.x, c.y) == e.cost, "%s: cell (%u,%u)", what, x, y);
            open += e.open;
        }
    }
    for (uint32_t i = 0; i < cells; i++) {
        cairn_cell c = cairn_grid_cell(grid, i);
        open -= cairn_grid_is_open(grid, c.x, c.y);
    }
    CHECK(open == 0, "%s: cells outside the map are open", what);
}

static const shape orientations[] = {
    {.orientation = "orthogonal"},
    {.orientation = "isometric"},
    {.orientation = "hexagonal", .axis = "y", .index = "odd"},
    {.orientation = "hexagonal", .axis = "y", .index = "even"},
    {.orientation = "hexagonal", .axis = "x", .index = "odd"},
    {.orientation = "hexagonal", .axis = "x", .index = "even"},
};

static void all_ways_to_write_a_map_give_the_same_grid(void **state)
{
    uint64_t seed = 1;
    for (size_t o = 0; o < LENGTH(orientations); o++) {
        for (int n = 0; n < 2 * 2 * WAYS; n++) {
            shape s = orientations[o];
            s.how = (way)(n % WAYS);
            s.json = n / WAYS % 2;
            s.infinite = n / WAYS / 2;
            int32_t x = s.infinite ? -7 + n : 0, y = s.infinite ? -19 + n : 0;
            table t = random_table(x, y, 1 + next_random(&seed) % SIDE,
                                   1 + next_random(&seed) % SIDE, seed);
            text file = write_map(&t, &s);
            char what[100];
            snprintf(what, sizeof what, "%s %s %s %s %s", s.json ? "json" : "xml", way_names[s.how],
                     s.infinite ? "infinite" : "finite", s.orientation, s.axis ? s.axis : "");
            cairn_tiled_place place;
            cairn_grid *grid = parse(*state, file, NULL, &place);
            check_grid(grid, &t, &place, what);
            assert_int_equal(place.layout, s.axis ? CAIRN_LAYOUT_HEX : CAIRN_LAYOUT_SQUARE);
            assert_int_equal(place.swapped, s.axis && *s.axis == 'x');
            if (!s.infinite && !s.axis) {
                assert_int_equal(cairn_grid_width(grid), t.width);
                assert_int_equal(cairn_grid_height(grid), t.height);
            }
            cairn_grid_destroy(grid);
            text_free(&file);
        }
    }
}

/* ---- hexagons ---- */

/* Are two hexagons neighbours, from where their centres are? `shifted` says which rows (columns)
 * are shifted. */
static bool near(double ax, double ay, double bx, double by)
{
    double d = (ax - bx) * (ax - bx) + (ay - by) * (ay - by);
    return d > 0.5 && d < 1.5;
}

static void tiled_centre(bool axis_x, bool even, int32_t x, int32_t y, double *cx, double *cy)
{
    int32_t line = axis_x ? x : y;
    double shift = (((line % 2 + 2) % 2 == 1) != even) ? 0.5 : 0, across = (axis_x ? y : x) + shift;
    double along = line * 0.8660254037844386;
    *cx = axis_x ? along : across;
    *cy = axis_x ? across : along;
}

static void our_centre(cairn_cell c, double *cx, double *cy)
{
    *cx = c.x + (c.y % 2 ? 0.5 : 0);
    *cy = c.y * 0.8660254037844386;
}

static void check_neighbours(const table *t, const cairn_tiled_place *place, bool axis_x, bool even)
{
    uint32_t cells = t->width * t->height, pairs = 0;
    for (uint32_t i = 0; i < cells; i++) {
        for (uint32_t j = 0; j < cells; j++) {
            int32_t xi = t->x + (int32_t)(i % t->width), yi = t->y + (int32_t)(i / t->width);
            int32_t xj = t->x + (int32_t)(j % t->width), yj = t->y + (int32_t)(j / t->width);
            double a[2], b[2], c[2], d[2];
            tiled_centre(axis_x, even, xi, yi, &a[0], &a[1]);
            tiled_centre(axis_x, even, xj, yj, &b[0], &b[1]);
            our_centre(cairn_tiled_cell(place, xi, yi), &c[0], &c[1]);
            our_centre(cairn_tiled_cell(place, xj, yj), &d[0], &d[1]);
            bool theirs = near(a[0], a[1], b[0], b[1]), ours = near(c[0], c[1], d[0], d[1]);
            CHECK(theirs == ours, "(%d,%d) and (%d,%d)", xi, yi, xj, yj);
            pairs += ours;
        }
    }
    assert_true(pairs > cells);
}

static void hexagons_keep_their_neighbours(void **state)
{
    for (int n = 0; n < 2 * 2 * 2 * 9; n++) {
        bool axis_x = n & 1, even = n & 2, infinite = n & 4;
        int32_t x = infinite ? n / 8 % 3 - 9 : 0, y = infinite ? n / 24 - 5 : 0;
        table t = random_table(x, y, 7, 6, (uint64_t)n);
        /* A chunk of the table's own size, so that the map begins with any parity. */
        text file = {0};
        put(&file,
            "<map orientation=\"hexagonal\" infinite=\"%d\" staggeraxis=\"%s\" staggerindex=\"%s\" "
            "width=\"7\" "
            "height=\"6\"><tileset firstgid=\"1\"/><layer name=\"a\"><data encoding=\"csv\">",
            infinite, axis_x ? "x" : "y", even ? "even" : "odd");
        if (infinite) put(&file, "<chunk x=\"%d\" y=\"%d\" width=\"7\" height=\"6\">", x, y);
        for (int i = 0; i < 42; i++) put(&file, i ? ",1" : "1");
        put(&file, "%s</data></layer></map>", infinite ? "</chunk>" : "");
        cairn_tiled_options options = {.void_cells = CAIRN_TILED_VOID_OPEN};
        cairn_tiled_place place;
        cairn_grid *grid = parse(*state, file, &options, &place);
        check_neighbours(&t, &place, axis_x, even);
        /* A row that was added is blocked, even if cells without tiles are open. */
        uint32_t open = 0, cells = cairn_grid_width(grid) * cairn_grid_height(grid);
        for (uint32_t i = 0; i < cells; i++) {
            cairn_cell c = cairn_grid_cell(grid, i);
            open += cairn_grid_is_open(grid, c.x, c.y);
        }
        assert_int_equal(open, 42);
        int32_t line = axis_x ? x : y;
        bool shifted = ((line % 2 + 2) % 2 == 1) != even;
        assert_int_equal(cells, shifted ? (axis_x ? 8 * 6 : 7 * 7) : 42);
        cairn_grid_destroy(grid);
        text_free(&file);
    }
}

static void positions_count_from_the_cell_0_0_of_the_file(void **state)
{
    static const char file[] =
        "<map infinite=\"1\"><tileset firstgid=\"1\"/><layer name=\"a\"><data encoding=\"csv\">"
        "<chunk x=\"-3\" y=\"5\" width=\"2\" height=\"2\">1,1,1,1</chunk></data></layer></map>";
    for (int pixels = 0; pixels < 2; pixels++) {
        cairn_tiled_options options = cairn_tiled_defaults();
        if (pixels) options.cell_size = 32;
        cairn_grid *grid = NULL;
        cairn_tiled_place place;
        options.place = &place;
        CHECK_OK(
            cairn_tiled_parse(*state, (cairn_bytes){file, strlen(file)}, &options, &grid, NULL));
        cairn_cell cell = cairn_tiled_cell(&place, -2, 6);
        assert_true(cell.x == 1 && cell.y == 1);
        cairn_position at = cairn_grid_position(grid, cairn_grid_node(grid, cell.x, cell.y));
        assert_true(at.x == -1.5 * (pixels ? 32 : 1) && at.y == 6.5 * (pixels ? 32 : 1));
        cairn_grid_destroy(grid);
    }
}

/* ---- what layers, names, properties and options mean ---- */

/* One row of cells, "." open and "#" blocked, from a map of this many columns. */
static void check_row(cairn_context *context, const char *file, const cairn_tiled_options *options,
                      const char *row)
{
    cairn_grid *grid = NULL;
    cairn_error error = {0};
    cairn_status status =
        cairn_tiled_parse(context, (cairn_bytes){file, strlen(file)}, options, &grid, &error);
    CHECK(status == CAIRN_OK, "%s\n%s", error.text, file);
    assert_int_equal(cairn_grid_width(grid), strlen(row));
    for (int32_t x = 0; row[x]; x++)
        CHECK(cairn_grid_is_open(grid, x, 0) == (row[x] == '.'), "cell %d is not '%c' in\n%s", x,
              row[x], file);
    cairn_grid_destroy(grid);
}

#define MAP4 "<map width='4' height='1'>"
#define SET \
    "<tileset firstgid='1'><tile id='1'><properties><property name='walkable' " \
    "value='true'/></properties></tile>" \
    "<tile id='2'><properties><property name='solid' value='true'/></properties></tile></tileset>"
#define DATA(csv) "<data encoding='csv'>" csv "</data></layer>"
#define PROPERTY(name, value) \
    "<properties><property name='" name "' value='" value "'/></properties>"

static void names_and_properties_of_layers_block(void **state)
{
    static const struct {
        const char *file, *row;
    } cases[] = {
        {MAP4 SET "<layer name='ground'>" DATA("1,2,3,0") "</map>", "..##"},
        {MAP4 SET "<layer name='Obstacles'>" DATA("1,2,3,0") "</map>", "#.#."},
        {MAP4 SET "<layer name='collision' visible='0'>" DATA("1,2,3,0") "</map>", "#.#."},
        {MAP4 SET "<layer name='x'>" PROPERTY("blocked", "true") DATA("1,2,3,0") "</map>", "#.#."},
        {MAP4 SET "<layer name='walls'>" PROPERTY("blocked", "false") DATA("1,2,3,0") "</map>",
         "..##"},
        {MAP4 SET
         "<layer name='a'>" DATA("1,1,1,0") "<layer name='walls'>" DATA("0,1,2,0") "</map>",
         ".#.#"},
        {MAP4 SET
         "<layer name='a'>" DATA("1,1,1,1") "<layer name='b' visible='0'>" DATA("3,3,3,3") "</map>",
         "...."},
        {MAP4 SET "<layer name='a'>" DATA("1,1,1,1") "<layer name='b' visible='0'>" PROPERTY(
             "cost", "x") DATA("3,3,3,3") "</map>",
         "...."},
        {MAP4 SET "<layer name='a'>" DATA("1,1,1,1") "<group visible='0'><layer name='b'>" DATA(
             "3,3,3,3") "</group></map>",
         "...."},
        {MAP4 SET
         "<layer name='a'>" DATA("1,1,1,1") "<group visible='0'><group><layer name='b'>" DATA(
             "3,3,3,3") "</group></group><layer name='c'>" DATA("0,3,0,0") "</map>",
         ".#.."},
        {MAP4 "<tileset firstgid='1'>" PROPERTY("collides", "true") "<tile id='1'>" PROPERTY(
             "collides", "false") "</tile></tileset><layer name='a'>" DATA("1,2,3,0") "</map>",
         "#.##"},
        {MAP4 "<tileset firstgid='5'>" PROPERTY(
             "solid",
             "1") "</tileset><tileset firstgid='2'/><layer name='a'>" DATA("2,5,4,6") "</map>",
         ".#.#"},
        {"<?xml version='1.0'?><!DOCTYPE map SYSTEM \"http://mapeditor.org/dtd/1.0/map.dtd\">" MAP4
             SET "<layer name='a'>" DATA(" 1 ,\n2\t,3,\r\n0 ") "</map>",
         "..##"},
        {"{\"width\":2,\"height\":1,\"tilesets\":[{\"firstgid\":1,\"properties\":[{\"name\":"
         "\"blocked\",\"value\":true}]}],"
         "\"layers\":[{\"type\":\"tilelayer\",\"data\":[0,1]},{\"type\":\"tilelayer\",\"name\":"
         "\"x\",\"data\":[1,0],"
         "\"properties\":[{\"name\":\"blocked\",\"value\":false}]}]}",
         "##"},
        {"\xef\xbb\xbf{\"width\":2,\"height\":1,\"tilesets\":[{\"firstgid\":1}],\"layers\":[{"
         "\"type\":\"group\",\"visible\":"
         "false,\"layers\":[{\"type\":\"tilelayer\",\"data\":[1,1]}]},{\"type\":\"tilelayer\","
         "\"data\":[0,1]}]}",
         "#."},
    };
    for (size_t i = 0; i < LENGTH(cases); i++) check_row(*state, cases[i].file, NULL, cases[i].row);
}

static void options_choose_layers_tiles_and_void(void **state)
{
    static const char file[] = MAP4 SET "<layer name='a'>" DATA(
        "1,2,3,0") "<layer name='hidden' visible='0'>" DATA("0,2147483649,2,4") "</map>";
    static const uint32_t one[] = {1}, three[] = {3}, both[] = {1, 3};
    const struct {
        cairn_tiled_options options;
        const char *row;
    } cases[] = {
        {{0}, "..##"},
        {{.void_cells = CAIRN_TILED_VOID_OPEN}, "..#."},
        {{.layer = "hidden"}, "#..."},
        {{.layer = "hidden", .void_cells = CAIRN_TILED_VOID_OPEN}, "...."},
        {{.layer = "hidden", .blocked_ids = one, .blocked_count = 1}, "##.."},
        {{.blocked_ids = one, .blocked_count = 1}, "#.##"},
        {{.open_ids = three, .open_count = 1}, "...#"},
        {{.open_ids = both, .open_count = 2, .blocked_ids = one, .blocked_count = 1}, "#..#"},
    };
    for (size_t i = 0; i < LENGTH(cases); i++)
        check_row(*state, file, &cases[i].options, cases[i].row);

    static const char walls[] = MAP4 SET "<layer name='walls'>" DATA("1,0,0,0") "</map>";
    cairn_tiled_options options = {.void_cells = CAIRN_TILED_VOID_BLOCKED};
    check_row(*state, walls, &options, "####");
}

static void the_topmost_layer_that_says_something_counts(void **state)
{
    static const char file[] = MAP4 "<tileset firstgid='1'><tile id='1'>" PROPERTY(
        "terrain",
        "swamp") "</tile><tile id='2'>" PROPERTY("cost",
                                                 "5") "</tile></tileset>"
                                                      "<layer name='a'>" PROPERTY("terrain", "200")
                                                          DATA("1,1,2,3") "<layer name='b'>" DATA(
                                                              "0,2,3,1") "</map>";
    cairn_grid *grid = NULL;
    CHECK_OK(cairn_tiled_parse(*state, (cairn_bytes){file, strlen(file)}, NULL, &grid, NULL));
    static const uint8_t terrain[] = {200, 1, 1, 200}, cost[] = {0, 0, 5, 5};
    for (int32_t x = 0; x < 4; x++) {
        assert_int_equal(cairn_grid_terrain(grid, x, 0), terrain[x]);
        assert_int_equal(cairn_grid_layer(grid, x, 0), cost[x]);
    }
    cairn_grid_destroy(grid);
}

/* ---- tilesets in files of their own ---- */

static cairn_status read_set(void *user, cairn_context *context, const char *name, cairn_file *out,
                             cairn_error *error)
{
    static const char xml[] = "<?xml version='1.0'?><tileset name='w'><tile id='0'>" PROPERTY(
        "solid", "true") "</tile></tileset>";
    static const char json[] =
        "{\"tiles\":[{\"id\":0,\"properties\":[{\"name\":\"solid\",\"value\":true}]}]}";
    ++*(int *)user;
    bool is_json = strstr(name, ".tsj");
    const char *content =
        is_json               ? json
        : strstr(name, "bad") ? "<tileset>\n<tile></tileset>"
        : strstr(name, "map") ? "<map/>"
        : strstr(name, "own")
            ? "<tileset name='w'>\n<tile id='3'>" PROPERTY("cost", "x") "</tile></tileset>"
            : xml;
    if (strstr(name, "none")) {
        if (error) snprintf(error->text, sizeof error->text, "is not there");
        return CAIRN_FILE_ERROR;
    }
    size_t size = strstr(name, "huge") ? (16 << 20) + 1 : strlen(content);
    out->data = cairn_context_resize(context, NULL, 0, size + 1);
    if (!out->data) return CAIRN_OUT_OF_MEMORY;
    memset(out->data, 0, size + 1);
    memcpy(out->data, content, strlen(content));
    out->size = size;
    return CAIRN_OK;
}

static void tilesets_may_have_files_of_their_own(void **state)
{
    int calls = 0;
    cairn_tiled_options options = {.read = read_set, .read_user = &calls};
    static const char map[] =
        MAP4 "<tileset firstgid='3' source='../w.tsx'/><tileset firstgid='1'/>"
             "<tileset firstgid='5' source='w.tsj'/><layer name='a'>" DATA("1,3,5,6") "</map>";
    check_row(*state, map, &options, ".##.");
    assert_int_equal(calls, 2);
    options.skip_tilesets = true;
    check_row(*state, map, &options, "....");
    assert_int_equal(calls, 2);

    static const struct {
        const char *source, *says;
        cairn_status status;
    } faults[] = {
        {"bad.tsx", "the tileset 'bad.tsx', line 2: the XML is damaged", CAIRN_BAD_DATA},
        {"map.tsx", "the tileset 'map.tsx', line 1: this is a map", CAIRN_BAD_DATA},
        {"own.tsx", "the tileset 'own.tsx', line 2: tile 3: the property 'cost'", CAIRN_BAD_DATA},
        {"huge.tsx", "the tileset 'huge.tsx': it has more than 16 MiB", CAIRN_BAD_DATA},
        {"none.tsx", "the tileset 'none.tsx': is not there", CAIRN_FILE_ERROR}};
    options.skip_tilesets = false;
    for (size_t i = 0; i < LENGTH(faults); i++) {
        char file[400];
        snprintf(file, sizeof file,
                 MAP4
                 "<tileset firstgid='3' source='%s'/><layer name='a'>" DATA("1,3,5,6") "</map>",
                 faults[i].source);
        cairn_grid *grid = NULL;
        cairn_error error = {0};
        CHECK_STATUS(
            cairn_tiled_parse(*state, (cairn_bytes){file, strlen(file)}, &options, &grid, &error),
            faults[i].status);
        CHECK(!grid && strstr(error.text, faults[i].says), "%s", error.text);
    }
    cairn_grid *grid = NULL;
    cairn_error error = {0};
    CHECK_STATUS(cairn_tiled_parse(*state, (cairn_bytes){map, strlen(map)}, NULL, &grid, &error),
                 CAIRN_UNSUPPORTED);
    CHECK(strstr(error.text, "'../w.tsx'"), "%s", error.text);
}

static void write_file(const char *name, const char *content)
{
    CHECK_OK(cairn_file_write(name, (cairn_bytes){content, strlen(content)}, NULL));
}

static void files_are_read_with_the_tilesets_beside_them(void **state)
{
    const char *map = CAIRN_BINARY_DIR "/test_io_tiled.tmx",
               *set = CAIRN_BINARY_DIR "/test_io_tiled.tsx";
    write_file(set, "<tileset><tile id='1'>" PROPERTY("blocked", "true") "</tile></tileset>");
    static const char *const sources[] = {"test_io_tiled.tsx", "./test_io_tiled.tsx", "/etc/passwd",
                                          "C:\\x.tsx", "no.tsx"};
    for (size_t i = 0; i < LENGTH(sources); i++) {
        char file[400];
        snprintf(file, sizeof file,
                 MAP4
                 "<tileset firstgid='1' source='%s'/><layer name='a'>" DATA("1,2,0,1") "</map>",
                 sources[i]);
        write_file(map, file);
        cairn_grid *grid = NULL;
        cairn_error error = {0};
        cairn_status status = i % 2 ? cairn_tiled_load(*state, map, NULL, &grid, &error)
                                    : cairn_grid_load(*state, map, &grid, &error);
        if (i < 2) {
            CHECK(status == CAIRN_OK, "%s", error.text);
            assert_false(cairn_grid_is_open(grid, 1, 0));
            assert_true(cairn_grid_is_open(grid, 3, 0));
        } else {
            CHECK(status == (i < 4 ? CAIRN_BAD_DATA : CAIRN_FILE_ERROR), "%s", error.text);
            CHECK(strstr(error.text, i < 4 ? "relative" : "cannot be opened"), "%s", error.text);
        }
        cairn_grid_destroy(grid);
    }
    remove(map);
    remove(set);
}

/* It would wait for somebody who writes into it. */
static void a_tileset_that_is_a_pipe_is_refused(void **state)
{
    const char *map = CAIRN_BINARY_DIR "/test_io_tiled_pipe.tmx",
               *set = CAIRN_BINARY_DIR "/test_io_tiled_pipe.tsx";
    static const char *const sources[] = {"test_io_tiled_pipe.tsx", "."};
    remove(set);
    assert_int_equal(mkfifo(set, 0600), 0);
    for (size_t i = 0; i < LENGTH(sources); i++) {
        char file[400];
        snprintf(file, sizeof file,
                 MAP4
                 "<tileset firstgid='1' source='%s'/><layer name='a'>" DATA("1,2,0,1") "</map>",
                 sources[i]);
        write_file(map, file);
        cairn_grid *grid = NULL;
        cairn_error error = {0};
        CHECK_STATUS(cairn_grid_load(*state, map, &grid, &error), CAIRN_FILE_ERROR);
        CHECK(!grid && strstr(error.text, "no regular file"), "%s", error.text);
    }
    remove(map);
    remove(set);
}

static void the_bundled_maps_are_what_they_show(void **state)
{
    static const struct {
        const char *name;
        uint32_t width, open;
        int32_t x, y; /* a cell of this look */
        bool is_open;
        uint8_t terrain, cost;
    } cases[] = {
        {"farm.tmx", 30, 436, 1, 1, false, 0, 0},
        {"farm.tmx", 30, 436, 3, 4, true, 0, 0},
        {"farm.tmx", 30, 436, 10, 1, true, CAIRN_TERRAIN_TREES, 0},
        {"farm.tmx", 30, 436, 29, 15, true, CAIRN_TERRAIN_WATER, 0},
        {"hills.tmj", 24, 374, 4, 7, false, 0, 0},
        {"hills.tmj", 24, 374, 9, 2, true, 0, 40},
        {"hills.tmj", 24, 374, 23, 10, true, CAIRN_TERRAIN_WATER, 0},
    };
    for (size_t i = 0; i < LENGTH(cases); i++) {
        char name[500];
        snprintf(name, sizeof name, "%s/maps/%s", CAIRN_SOURCE_DIR, cases[i].name);
        cairn_grid *grid = NULL;
        cairn_error error = {0};
        CHECK(cairn_grid_load(*state, name, &grid, &error) == CAIRN_OK, "%s", error.text);
        assert_int_equal(cairn_grid_width(grid), cases[i].width);
        uint32_t open = 0;
        for (uint32_t n = 0; n < cairn_grid_width(grid) * cairn_grid_height(grid); n++) {
            cairn_cell c = cairn_grid_cell(grid, n);
            open += cairn_grid_is_open(grid, c.x, c.y);
        }
        assert_int_equal(open, cases[i].open);
        assert_int_equal(cairn_grid_is_open(grid, cases[i].x, cases[i].y), cases[i].is_open);
        assert_int_equal(cairn_grid_terrain(grid, cases[i].x, cases[i].y), cases[i].terrain);
        assert_int_equal(cairn_grid_layer(grid, cases[i].x, cases[i].y), cases[i].cost);
        cairn_grid_destroy(grid);
    }
}

/* ---- what is refused ---- */

typedef struct fault {
    const char *file;
    uint32_t line;
    const char *says;
} fault;

static void check_fault(cairn_context *context, const char *file, size_t size, uint32_t line,
                        const char *part)
{
    cairn_grid *grid = NULL;
    cairn_error error = {0};
    cairn_status status =
        cairn_tiled_parse(context, (cairn_bytes){file, size}, NULL, &grid, &error);
    CHECK(status == CAIRN_BAD_DATA || status == CAIRN_UNSUPPORTED || status == CAIRN_OUT_OF_BUDGET,
          "\"%s\": %s", part, cairn_status_text(status));
    assert_true(!grid && error.status == status);
    CHECK(error.line == line && strstr(error.text, part), "line %u: %s (not: line %u: %s)",
          error.line, error.text, line, part);
}

#define LAYER(csv) "<layer name='a'>" DATA(csv) "</map>"
#define PACKED(how, base64) \
    MAP4 SET "\n<layer name='a'><data encoding='base64' compression='" how "'>" base64 \
             "</data></layer></map>"
#define JSON_TILE(members) \
    "{\"layers\":[],\"width\":4,\"height\":1," \
    "\"tilesets\":[{\"firstgid\":1,\"name\":\"ground\",\"tiles\":[{" members "}]}]}"
#define JSON4(layer) \
    "{\"width\":4,\"height\":1,\"tilesets\":[{\"firstgid\":1}],\"layers\":[" layer "]}"

static void wrong_files_are_refused_with_line_and_reason(void **state)
{
    static const fault faults[] = {
        {"", 1, "no element found"},
        {"<", 1, "XML is damaged"},
        {"<svg/>", 1, "this is no Tiled map: the first element must be <map>"},
        {"<tileset/>", 1, "a map is expected"},
        {"<map width='4' height='1'/>", 0, "no visible tile layer"},
        {"<map\nwidth='0' height='1'/>", 1, "width 0 and height 1, both must be 1 to 32768"},
        {"<map width='65536' height='65537'/>", 1, "both must be 1 to 32768"},
        {"<map width='4294967297' height='1'/>", 1,
         "width is no whole number that fits: '4294967297'"},
        {"<map width='-4' height='1'/>", 1, "width -4"},
        {"<map width='4x' height='1'/>", 1, "width is no whole number"},
        {"<map width='' height='1'/>", 1, "width is no whole number"},
        {"<map height='1'/>", 1, "width 0"},
        {"<map orientation='round' width='4' height='1'/>", 1,
         "the orientation 'round' is not known"},
        {"<map orientation='staggered' width='4' height='1'/>", 1,
         "staggered isometric maps are not supported"},
        {"<map orientation='hexagonal' width='4' height='1'/>", 1, "needs staggeraxis"},
        {"<map orientation='hexagonal' staggeraxis='z' staggerindex='odd' width='4' height='1'/>",
         1, "staggeraxis"},
        {MAP4 "<layer name='a'>" DATA("0,1,0,0") "</map>", 0,
         "the tile 1 at (1,0) of layer 'a' belongs to no tileset"},
        {MAP4 "<tileset firstgid='2'/>" LAYER("0,0,0,1"), 0, "the tile 1 at (3,0)"},
        {MAP4 "\n<tileset firstgid='0'/>" LAYER("0,0,0,1"), 2, "firstgid"},
        {MAP4 "<tileset/>" LAYER("0,0,0,1"), 1, "firstgid"},
        {MAP4 "<tileset firstgid='1'/>\n<tileset firstgid='1'/>" LAYER("0,0,0,1"), 2,
         "two tilesets have the firstgid 1"},
        {MAP4 "<tileset firstgid='1' source=''/>" LAYER("0,0,0,1"), 1,
         "the file name of a tileset"},
        {MAP4 SET "\n<layer name='ground' width='4' height='2'>" DATA("1"), 2,
         "the layer 'ground' is 4 x 2, but the map is 4 x 1"},
        {MAP4 SET "\n<layer name='ground'/></map>", 2,
         "the layer 'ground' has 0 tiles, 4 are needed"},
        {MAP4 SET "\n\n" LAYER("1,2,3"), 3, "the layer 'a' has 3 tiles, 4 are needed"},
        {MAP4 SET LAYER("1,2,3,4,5"), 1, "has 5 tiles, 4 are needed"},
        {MAP4 SET LAYER(""), 1, "has 0 tiles, 4 are needed"},
        {MAP4 SET LAYER("1,2,3,"), 1, "tile 3 of layer 'a' is no number"},
        {MAP4 SET LAYER("1,2,\n3,x"), 2, "tile 3 of layer 'a' is no number"},
        {MAP4 SET LAYER("1,,3,4"), 1, "tile 1 of layer 'a' is no number"},
        {MAP4 SET LAYER("1,-2,3,4"), 1, "tile 1 of layer 'a' is no number"},
        {MAP4 SET LAYER("1,4294967296,3,4"), 1, "tile 1 of layer 'a' is no number"},
        {MAP4 SET LAYER("1 2,3,4"), 1, "a comma is needed after tile 0"},
        {MAP4 SET "<layer name='a'><data><tile/><tile/><tile/></data></layer></map>", 1,
         "has 3 tiles, 4 are needed"},
        {MAP4 SET "<layer name='a'><data><tile gid='-1'/></data></layer></map>", 1,
         "gid of a tile must not be negative"},
        {MAP4 SET "<layer name='a'><data><tile gid='q'/></data></layer></map>", 1,
         "gid is no whole number"},
        {MAP4 SET "<layer name='a'><data encoding='csv'>1,1,1,1<tile/></data></layer></map>", 1,
         "elements or text, not both"},
        {MAP4 SET "<layer name='a'><data encoding='csv'>1,1,1,1</data><data/></layer></map>", 1,
         "twice"},
        {MAP4 SET "<layer name='a'><data encoding='hex'>", 1, "the encoding 'hex' is not known"},
        {MAP4 SET "<layer name='a'><data encoding='csv' compression='zlib'>", 1,
         "compression 'zlib' is not known"},
        {PACKED("lzma", ""), 2, "the compression 'lzma' is not known"},
        {PACKED("", "AAAA"), 2, "has 0 tiles, 4 are needed"},
        {PACKED("", "AQAAAAAAAAAAAAAAAAAAAA="), 2, "the layer 'a' is no base64"},
        {PACKED("", "AQAAAA==AAAAAAAAAAAAAA=="), 2, "the layer 'a' is no base64"},
        {PACKED("", "AQAAAAAAAAAAAAAAAA*AAA=="), 2, "the layer 'a' is no base64"},
        {PACKED("", "A===="), 2, "the layer 'a' is no base64"},
        {PACKED("", "====="), 2, "the layer 'a' is no base64"},
        {PACKED("zlib", "AAAAAAAAAAAAAAAAAAAAAA=="), 2,
         "the layer 'a' cannot be unpacked: it is damaged"},
        {PACKED("gzip", ""), 2, "the layer 'a' cannot be unpacked"},
        {PACKED("zstd", "AAAAAAAAAAAAAAAAAAAAAA=="), 2, "the layer 'a' cannot be unpacked"},
        {PACKED("zstd", ""), 2, "has 0 tiles, 4 are needed"},
        {MAP4 SET "<layer name='a'>\n" PROPERTY("walkable", "maybe"), 2,
         "layer 'a': the property 'walkable' must be true or false, not 'maybe'"},
        {MAP4 "<tileset firstgid='1' name='w'>" PROPERTY("cost", "x"), 1,
         "tileset 'w': the property 'cost' must be 0 to 255, not 'x'"},
        {MAP4 "<tileset firstgid='1' name='w'>\n<tile id='12'>" PROPERTY("cost", "999"), 2,
         "tile 12 of tileset 'w': the property 'cost' must be 0 to 255, not '999'"},
        {MAP4 SET "<layer name='a'>" PROPERTY("terrain", "256"), 1,
         "the property 'terrain' must be ground"},
        {MAP4 SET "<layer name='a'>" PROPERTY("cost", "-1"), 1,
         "the property 'cost' must be 0 to 255, not '-1'"},
        {MAP4 "<tileset firstgid='1'><tile>" PROPERTY("cost", "1") "</tile></tileset>", 1,
         "the id of a tile"},
        {MAP4 SET "<layer name='a'><data encoding='csv'><chunk x='0' y='0' width='4' height='1'>",
         1, "the map is not infinite"},
        {"<map infinite='1'>" SET "<layer name='a'><data encoding='csv'>1</data></layer></map>", 0,
         "has no tile"},
        {"<map infinite='1'>" SET "<layer name='a'><data><chunk x='0' y='0' width='0' height='1'/>",
         1, "width and height of a chunk"},
        {"<map infinite='1'>" SET "<layer name='a'><data><chunk y='0' width='1' height='1'/>", 1,
         "x and y of a chunk"},
        {"<map infinite='1'>" SET
         "<layer name='a'><data><chunk x='0' y='2147483648' width='1' height='1'/>",
         1, "x and y of a chunk"},
        {"<map infinite='1'>" SET
         "<layer name='a'><data><chunk x='0' y='0' width='32768' height='32768'/>",
         1, "more than 268435456 tiles together"},
        {"<map infinite='1'>" SET
         "<layer name='a'><data><chunk x='1' y='-2' width='1' height='1'/>",
         1, "the chunk at (1,-2) of layer 'a' has 0 tiles, 1 are needed"},
        {"<map infinite='1'>" SET
         "<layer name='a'><data><chunk x='0' y='0' width='1' height='1'><tile/></chunk>"
         "<chunk x='32768' y='0' width='1' height='1'><tile/></chunk></data></layer></map>",
         0, "reaches over 32769 x 1 cells"},
        {"<map infinite='1'>" SET
         "<layer name='a'><data><chunk x='-1073741824' y='0' width='1' height='1'><tile/></chunk>"
         "<chunk x='1073741824' y='0' width='1' height='1'><tile/></chunk></data></layer></map>",
         0, "2147483649 x 1 cells"},
        {"<map infinite='1'>" SET
         "<layer name='a'><data><chunk x='0' y='0' width='1' height='1'><tile/></chunk>"
         "<chunk x='32767' y='32767' width='1' height='1'><tile/></chunk></data></layer></map>",
         0, "too far apart"},
        {"<map orientation='hexagonal' staggeraxis='y' staggerindex='even' infinite='1'>" SET
         "<layer name='a'><data>"
         "<chunk x='0' y='0' width='1' height='1'><tile/></chunk><chunk x='0' y='32767' width='1' "
         "height='1'><tile/></chunk>"
         "</data></layer></map>",
         0, "reaches over 1 x 32769 cells"},
        {"<!DOCTYPE map [<!ENTITY a 'b'>]>\n<map/>", 1,
         "entities of the document's own are not accepted"},
        {"<!DOCTYPE map [\n<!ENTITY a 'aaaaaaaaaa'><!ENTITY b '&a;&a;&a;&a;&a;&a;&a;&a;'><!ENTITY "
         "c '&b;&b;&b;&b;&b;&b;'>]>"
         "<map>&c;</map>",
         2, "entities"},
        {"<!DOCTYPE map [<!ENTITY % a SYSTEM 'file:///etc/passwd'> %a;]><map/>", 1, "entities"},
        {"<map width='4' height='1'>&nbsp;</map>", 1, "undefined entity"},
        {"<map width='4' height='1'>\n<layer name='\xff'/></map>", 2, "not well-formed"},
        {"<map width='4' height='1'>\n</layer></map>", 2, "mismatched tag"},
        {"{", 1, "the JSON is damaged"},
        {"{}", 0, "it has no \"layers\""},
        {"{\"layers\":3}", 0, "it has no \"layers\""},
        {"{\"layers\":[]}", 0, "width 0 and height 0"},
        {"{\"layers\":[],\n\"width\":01}", 2, "the JSON is damaged"},
        {"{\"layers\":[],\"width\":99999999999999999999}", 1, "the JSON is damaged"},
        {"{\"layers\":[],\"width\":\"4\",\"height\":1}", 0,
         "width of the map must be a whole number, not \"4\""},
        {"{\"layers\":[],\"width\":4.5,\"height\":1}", 0,
         "width of the map must be a whole number, not 4.5"},
        {"{\"layers\":[],\"width\":4,\"height\":[1,{}]}", 0,
         "height of the map must be a whole number, not [1, {}]"},
        {"{\"layers\":[],\"width\":4,\"height\":1,\"tilesets\":[{\"firstgid\":\"1\"}]}", 0,
         "firstgid of a tileset must be a whole number, not \"1\""},
        {JSON4("{\"type\":\"tilelayer\",\"width\":true}"), 0,
         "width of a layer must be a whole number, not true"},
        {"{\"infinite\":true,\"layers\":[{\"type\":\"tilelayer\",\"chunks\":[{\"x\":null}]}]}", 0,
         "x of a chunk must be a whole number, not null"},
        {JSON_TILE("\"id\":\"7\""), 0, "id of a tile must be a whole number, not \"7\""},
        {JSON_TILE("\"id\":7,\"properties\":[{\"name\":\"cost\",\"value\":256}]"), 0,
         "tile 7 of tileset 'ground': the property 'cost' must be 0 to 255, not '256'"},
        {JSON_TILE("\"id\":7,\"properties\":[{\"name\":\"cost\",\"value\":-1}]"), 0, "not '-1'"},
        {JSON_TILE("\"id\":7,\"properties\":[{\"name\":\"cost\",\"value\":2.25}]"), 0,
         "not '2.25'"},
        {JSON_TILE("\"id\":7,\"properties\":[{\"name\":\"cost\",\"value\":1e300}]"), 0,
         "not '1e300'"},
        {JSON_TILE("\"id\":7,\"properties\":{\"solid\":\"yes\"}"), 0,
         "tile 7 of tileset 'ground': the property 'solid' must be true or false, not 'yes'"},
        {"{\"layers\":[],\"width\":4,\"height\":1,"
         "\"tilesets\":[{\"firstgid\":1,\"name\":\"a\\nb\",\"properties\":{\"terrain\":\"lava\"}}]"
         "}",
         0,
         "tileset 'a?b': the property 'terrain' must be ground, swamp, water, trees or 0 to 255, "
         "not 'lava'"},
        {"{\"layers\":[],\"width\":4,\"height\":1}", 0, "no visible tile layer"},
        {"{\"layers\":[3,null,\"x\",{}],\"width\":4,\"height\":1}", 0, "no visible tile layer"},
        {"{\"a\":\"\xff\"}", 1, "the JSON is damaged"},
        {"{} {}", 1, "the JSON is damaged"},
        {JSON4("{\"type\":\"tilelayer\",\"name\":\"g\",\"data\":[1,2,3]}"), 0,
         "the layer 'g' has 3 tiles, 4 are needed"},
        {JSON4("{\"type\":\"tilelayer\",\"name\":\"g\",\"data\":{}}"), 0,
         "the layer 'g' has 0 tiles, 4 are needed"},
        {JSON4("{\"type\":\"tilelayer\",\"name\":\"g\"}"), 0, "the layer 'g' has 0 tiles"},
        {JSON4("{\"type\":\"tilelayer\",\"name\":\"g\\n\",\"data\":[1,2,-3,4]}"), 0,
         "tile 2 of layer 'g?' is no number"},
        {JSON4("{\"type\":\"tilelayer\",\"data\":[1,2,3,\"4\"]}"), 0,
         "tile 3 of layer '' is no number"},
        {JSON4("{\"type\":\"tilelayer\",\"data\":[1,2,3,4294967296]}"), 0,
         "tile 3 of layer '' is no number"},
        {JSON4("{\"type\":\"tilelayer\",\"data\":\"AAAA\"}"), 0, "the encoding '' is not known"},
        {JSON4("{\"type\":\"tilelayer\",\"data\":\"AAAA\",\"encoding\":\"base64\"}"), 0,
         "0 tiles, 4 are needed"},
        {"{\"infinite\":true,\"layers\":[{\"type\":\"tilelayer\",\"name\":\"g\",\"data\":[1]}]}", 0,
         "the tiles of layer 'g' are not in chunks"},
        {JSON4("{\"type\":\"tilelayer\",\"chunks\":[{}]}"), 0, "the map is not infinite"},
        {JSON4("{\"type\":\"tilelayer\",\"width\":5,\"height\":1,\"data\":[]}"), 0,
         "is 5 x 1, but the map is 4 x 1"},
        {JSON4("{\"type\":\"tilelayer\",\"properties\":[{\"name\":\"cost\",\"value\":1.5}]}"), 0,
         "the property 'cost' must be 0 to 255"},
        {"{\"infinite\":true,\"layers\":[{\"type\":\"tilelayer\",\"chunks\":[{\"x\":1,\"y\":1,"
         "\"width\":1}]}]}",
         0, "width and height of a chunk"},
        {"{\"layers\":[],\"width\":4,\"height\":1,\"tilesets\":[{\"firstgid\":1,\"tiles\":[{"
         "\"properties\":{\"cost\":1}}]}]}",
         0, "the id of a tile"},
        {"{\"layers\":[],\"width\":4,\"height\":1,\"tilesets\":[{\"firstgid\":1,\"tileproperties\":"
         "{\"a\":{\"cost\":1}}}]}",
         0, "the id of a tile"},
    };
    for (size_t i = 0; i < LENGTH(faults); i++)
        check_fault(*state, faults[i].file, strlen(faults[i].file), faults[i].line, faults[i].says);
}

static void long_names_are_cut_between_letters(void **state)
{
    text file = {0};
    put(&file, MAP4 SET "<layer name='a");
    for (int i = 0; i < 3000; i++) put(&file, "\xc3\xa4");
    put(&file, "'/></map>");
    cairn_grid *grid = NULL;
    cairn_error error = {0};
    CHECK_STATUS(
        cairn_tiled_parse(*state, (cairn_bytes){file.data, file.size}, NULL, &grid, &error),
        CAIRN_BAD_DATA);
    CHECK(strstr(error.text, "\xc3\xa4' has 0 tiles"), "%s", error.text);
    text_free(&file);
}

static void a_layer_that_is_not_there_is_named(void **state)
{
    static const char file[] = MAP4 SET LAYER("1,2,3,4");
    cairn_tiled_options options = {.layer = "roof"};
    cairn_grid *grid = NULL;
    cairn_error error = {0};
    CHECK_STATUS(
        cairn_tiled_parse(*state, (cairn_bytes){file, strlen(file)}, &options, &grid, &error),
        CAIRN_BAD_DATA);
    CHECK(strstr(error.text, "no tile layer named 'roof'"), "%s", error.text);
}

static void files_cut_anywhere_are_refused(void **state)
{
    for (int n = 0; n < 2 * 2 * WAYS; n++) {
        shape s = orientations[n % 6];
        s.how = (way)(n % WAYS), s.json = n / WAYS % 2, s.infinite = n / WAYS / 2;
        table t = random_table(0, 0, 5, 4, (uint64_t)n);
        text file = write_map(&t, &s);
        while (file.data[file.size - 1] == '\n') file.size--;
        for (size_t size = 0; size < file.size; size += test_stride()) {
            char *exact = malloc(size ? size : 1);
            memcpy(exact, file.data, size);
            cairn_grid *grid = NULL;
            cairn_error error = {0};
            CHECK_STATUS(cairn_tiled_parse(*state, (cairn_bytes){exact, size}, NULL, &grid, &error),
                         CAIRN_BAD_DATA);
            assert_true(!grid && error.text[0] && error.line > 0);
            free(exact);
        }
        text_free(&file);
    }
}

static void files_with_a_changed_byte_are_refused_or_read(void **state)
{
    uint64_t seed = 5;
    for (int n = 0; n < 2 * 2 * WAYS; n++) {
        shape s = orientations[n % 6];
        s.how = (way)(n % WAYS), s.json = n / WAYS % 2, s.infinite = n / WAYS / 2;
        table t = random_table(-2, 1, 5, 4, (uint64_t)n);
        text file = write_map(&t, &s);
        for (int i = 0; i < 400; i++) {
            size_t at = next_random(&seed) % file.size;
            char was = file.data[at];
            file.data[at] = (char)next_random(&seed);
            cairn_grid *grid = NULL;
            cairn_error error = {0};
            cairn_status status =
                cairn_tiled_parse(*state, (cairn_bytes){file.data, file.size}, NULL, &grid, &error);
            CHECK(status ? !grid && error.status == status && error.text[0] : grid != NULL,
                  "byte %zu", at);
            cairn_grid_destroy(grid);
            file.data[at] = was;
        }
        text_free(&file);
    }
}

/* A layer of 10 × 10 tiles that unpacks to many megabytes is cut off; one that claims more than it
 * can hold is refused before memory is asked for. */
static void bombs_are_refused(void **state)
{
    (void)state;
    enum { MEGABYTES = 64 };
    uint8_t *zeros = calloc(MEGABYTES, 1 << 20);
    for (int how = ZLIB; how <= ZSTD; how++) {
        text small = packed(zeros, (size_t)MEGABYTES << 20, (way)how);
        for (int huge = 0; huge < 2; huge++) {
            text file = {0};
            put(&file,
                "<map width='%d' height='%d'>" SET
                "<layer name='a'><data encoding='base64' compression='%s'>",
                huge ? 8192 : 10, huge ? 8192 : 10, way_names[how]);
            put_base64(&file, (const uint8_t *)small.data, huge ? 1000 : small.size);
            put(&file, "</data></layer></map>");
            cairn_context_options options = cairn_context_defaults();
            options.byte_limit = 4 << 20;
            cairn_context *context = NULL;
            CHECK_OK(cairn_context_create(&options, &context));
            const char *part = huge          ? "too short for 67108864 tiles"
                               : how == ZSTD ? "damaged or too long"
                                             : "more than the 100 tiles";
            check_fault(context, file.data, file.size, 1, part);
            cairn_context_destroy(context);
            text_free(&file);
        }
        text_free(&small);
    }
    free(zeros);
}

/* The file asks for so many cells: one fewer is refused, before anything is unpacked. */
static void check_claim(const text *file, uint64_t cells, uint32_t line)
{
    for (uint64_t limit = cells - 1; limit <= cells; limit++) {
        cairn_context_options options = cairn_context_defaults();
        options.file_cells = limit;
        cairn_context *context = NULL;
        CHECK_OK(cairn_context_create(&options, &context));
        if (limit < cells)
            check_fault(context, file->data, file->size, line, "it asks for");
        else
            cairn_grid_destroy(parse(context, *file, NULL, NULL));
        cairn_context_destroy(context);
    }
}

/* Cells that few bytes ask for: packed layers, several of them, chunks far apart. */
static void short_files_ask_for_few_cells(void **state)
{
    (void)state;
    enum { EDGE = 300 };
    uint8_t *zeros = calloc(EDGE * EDGE, 4);
    text small = packed(zeros, (size_t)EDGE * EDGE * 4, ZLIB);
    for (uint32_t layers = 1; layers <= 2; layers++) {
        text file = {0};
        put(&file, "<map width='%d' height='%d'>" SET, EDGE, EDGE);
        for (uint32_t i = 0; i < layers; i++) {
            put(&file, "<layer name='a'><data encoding='base64' compression='zlib'>");
            put_base64(&file, (const uint8_t *)small.data, small.size);
            put(&file, "</data></layer>");
        }
        put(&file, "</map>");
        check_claim(&file, (uint64_t)layers * EDGE * EDGE, 1);
        text_free(&file);
    }
    text_free(&small);
    free(zeros);
    text apart = {0};
    put(&apart, "<map infinite='1'>" SET
                "<layer name='a'><data><chunk x='0' y='0' width='1' height='1'><tile/></chunk>"
                "<chunk x='999' y='499' width='1' height='1'><tile/></chunk></data></layer></map>");
    check_claim(&apart, 1000 * 500, 0);
    text_free(&apart);
}

static void deep_nesting_is_refused(void **state)
{
    for (int json = 0; json < 2; json++) {
        for (int depth = 30; depth <= 30000; depth *= 10) {
            text file = {0};
            put(&file, json ? "{\"width\":1,\"height\":1,\"tilesets\":[],\"layers\":["
                            : "<map width='1' height='1'>");
            for (int i = 0; i < depth; i++)
                put(&file, json ? "{\"type\":\"group\",\"layers\":[" : "<group>");
            for (int i = 0; i < depth; i++) put(&file, json ? "]}" : "</group>");
            put(&file, json ? "]}" : "</map>");
            uint32_t line = depth < 300 || (json && depth < 3000) ? 0 : 1;
            check_fault(*state, file.data, file.size, depth < 300 ? 0 : line,
                        depth < 300 ? "no visible tile layer"
                        : line      ? ""
                                    : "nested too deeply");
            text_free(&file);
        }
    }
}

static void too_many_of_anything_is_refused(void **state)
{
    text file = {0};
    put(&file, MAP4);
    for (int i = 0; i < 1025; i++) put(&file, "<tileset firstgid='%d'/>", i + 1);
    check_fault(*state, file.data, file.size, 1, "more than 1024 tilesets");
    text_free(&file);
    file.size = (64 << 20) + 1;
    file.data = malloc(file.size);
    memset(file.data, ' ', file.size);
    file.data[0] = '{';
    check_fault(*state, file.data, file.size, 0, "at most 64 MiB");
    text_free(&file);
    put(&file, "<map infinite='1'>");
    for (int i = 0; i < 4097; i++) put(&file, "<layer name='a'/>");
    check_fault(*state, file.data, file.size, 1, "more than 4096 layers");
    text_free(&file);
}

/* ---- elements that somebody else has parsed ---- */

static const char element_mark[] = "\1CRNTILED";

/* The elements of a well-formed text without remarks and entities, as bytes. */
static text as_elements(const char *xml)
{
    text out = {0};
    put_bytes(&out, element_mark, sizeof element_mark - 1);
    for (const char *at = xml; *at;) {
        const char *end = at + strcspn(at, at[0] == '<' ? ">" : "<");
        if (at[0] != '<') {
            uint32_t length = (uint32_t)(end - at);
            uint8_t bytes[5] = {'t', (uint8_t)length, (uint8_t)(length >> 8),
                                (uint8_t)(length >> 16), 0};
            put_bytes(&out, bytes, sizeof bytes);
            put_bytes(&out, at, length);
            at = end;
        } else if (at[1] == '/') {
            put_bytes(&out, ">", 1);
            at = end + 1;
        } else if (at[1] == '?') {
            at = end + 1;
        } else {
            const char *name = at + 1;
            size_t length = strcspn(name, " />");
            put_bytes(&out, "<", 1);
            put_bytes(&out, name, length);
            put_bytes(&out, "", 1);
            for (at = name + length; at[0] == ' ';) {
                length = strcspn(++at, "=");
                put_bytes(&out, at, length);
                put_bytes(&out, "", 1);
                at += length + 2;
                length = strcspn(at, "\"");
                put_bytes(&out, at, length);
                put_bytes(&out, "", 1);
                at += length + 1;
            }
            put_bytes(&out, "", 1);
            if (at[0] == '/') put_bytes(&out, ">", 1);
            at = end + 1;
        }
    }
    return out;
}

static void elements_mean_what_their_xml_means(void **state)
{
    for (way how = 0; how < WAYS; how++) {
        for (int i = 0; i < 4; i++) {
            bool hex = i & 1, infinite = i & 2;
            table from = random_table(infinite ? -3 : 0, infinite ? 5 : 0, 9, 7, 40u + (uint64_t)i);
            shape s = {
                .how = how, .infinite = infinite, .orientation = hex ? "hexagonal" : "orthogonal"};
            if (hex) s.axis = "x", s.index = "even";
            text xml = write_map(&from, &s), elements = as_elements(xml.data);
            cairn_tiled_place place = {0}, same = {0};
            cairn_grid *grid = parse(*state, xml, NULL, &place),
                       *again = parse(*state, elements, NULL, &same);
            assert_int_equal(place.left, same.left);
            assert_int_equal(place.top, same.top);
            assert_int_equal(place.swapped, same.swapped);
            check_grid(again, &from, &same, "elements");
            assert_int_equal(cairn_grid_layout(grid), cairn_grid_layout(again));
            cairn_grid_destroy(grid);
            cairn_grid_destroy(again);
            text_free(&xml);
            text_free(&elements);
        }
    }
}

/* In memory of exactly its size, so that a sanitizer sees who reads on. */
static cairn_status parse_exactly(cairn_context *context, const text *t, size_t size)
{
    char *copy = malloc(size ? size : 1);
    memcpy(copy, t->data, size);
    cairn_grid *grid = NULL;
    cairn_error error = {0};
    cairn_status status =
        cairn_tiled_parse(context, (cairn_bytes){copy, size}, NULL, &grid, &error);
    assert_true(status == CAIRN_OK || (error.status == status && error.text[0]));
    cairn_grid_destroy(grid);
    free(copy);
    return status;
}

static void damaged_elements_are_refused(void **state)
{
    table from = random_table(0, 0, 5, 4, 77);
    shape s = {.how = CSV, .orientation = "orthogonal"};
    text xml = write_map(&from, &s), whole = as_elements(xml.data);
    while (whole.data[whole.size - 1] != '>')
        whole.size -= 6; /* the line end behind the map: a text of one byte */
    assert_int_equal(parse_exactly(*state, &whole, whole.size), CAIRN_OK);
    for (size_t size = 0; size < whole.size; size++)
        assert_int_not_equal(parse_exactly(*state, &whole, size), CAIRN_OK);
    for (size_t i = 0; i < whole.size; i++) {
        char kept = whole.data[i];
        for (int bit = 0; bit < 8; bit += 3) {
            whole.data[i] = (char)(kept ^ 1 << bit);
            parse_exactly(*state, &whole, whole.size);
        }
        whole.data[i] = kept;
    }
    text twice = {0}, many = {0};
    put_bytes(&twice, whole.data, whole.size);
    static const char another[] = "<map\0width\0005\0height\0004\0\0>";
    put_bytes(&twice, another, sizeof another - 1);
    assert_int_equal(parse_exactly(*state, &twice, twice.size), CAIRN_BAD_DATA);
    put_bytes(&many, element_mark, sizeof element_mark - 1);
    put_bytes(&many, "<map", 5);
    for (int i = 0; i < 65; i++) put_bytes(&many, "a\0b", 4);
    put_bytes(&many, "\0>", 2);
    assert_int_equal(parse_exactly(*state, &many, many.size), CAIRN_BAD_DATA);
    text_free(&xml);
    text_free(&whole);
    text_free(&twice);
    text_free(&many);
}

static void arguments_that_make_no_sense_are_invalid(void **state)
{
    cairn_grid *grid = NULL;
    CHECK_STATUS(cairn_tiled_parse(NULL, (cairn_bytes){"", 0}, NULL, &grid, NULL), CAIRN_INVALID);
    CHECK_STATUS(cairn_tiled_parse(*state, (cairn_bytes){NULL, 4}, NULL, &grid, NULL),
                 CAIRN_INVALID);
    CHECK_STATUS(cairn_tiled_parse(*state, (cairn_bytes){"", 0}, NULL, NULL, NULL), CAIRN_INVALID);
    CHECK_STATUS(cairn_tiled_parse(*state, (cairn_bytes){NULL, 0}, NULL, &grid, NULL),
                 CAIRN_BAD_DATA);
    CHECK_STATUS(cairn_tiled_load(*state, NULL, NULL, &grid, NULL), CAIRN_INVALID);
    CHECK_STATUS(cairn_tiled_load(*state, "x", NULL, NULL, NULL), CAIRN_INVALID);
    const cairn_tiled_options wrong[] = {
        {.void_cells = CAIRN_TILED_VOID_COUNT}, {.open_count = 1}, {.blocked_count = 1}};
    for (size_t i = 0; i < LENGTH(wrong); i++)
        CHECK_STATUS(cairn_tiled_parse(*state, (cairn_bytes){"", 0}, &wrong[i], &grid, NULL),
                     CAIRN_INVALID);
    static const char file[] = MAP4 SET LAYER("1,2,3,4");
    cairn_tiled_options size = {.cell_size = -1};
    CHECK_STATUS(cairn_tiled_parse(*state, (cairn_bytes){file, strlen(file)}, &size, &grid, NULL),
                 CAIRN_INVALID);
}

/* ---- memory ---- */

static void every_allocation_may_fail(void **state)
{
    (void)state;
    int calls = 0;
    cairn_tiled_options options = {.read = read_set, .read_user = &calls};
    for (int i = 0; i < 2 * WAYS; i++) {
        shape s = orientations[i % 6];
        s.how = (way)(i % WAYS), s.json = i / WAYS, s.infinite = i % 2;
        table t = random_table(0, 0, 6, 5, (uint64_t)i);
        text file = write_map(&t, &s);
        /* One more tileset, from a file. */
        const char *old = s.json ? "\"tilesets\":[" : "<tileset",
                   *new = s.json ? "{\"firstgid\":99,\"source\":\"a.tsx\"},"
                                 : "<tileset firstgid='99' source='a.tsx'/>";
        char *at = strstr(file.data, old);
        size_t before = (size_t)(at - file.data) + (s.json ? strlen(old) : 0);
        text longer = {0};
        put_bytes(&longer, file.data, before);
        put(&longer, "%s", new);
        put_bytes(&longer, file.data + before, file.size - before);

        bool done = false;
        for (uint64_t n = 1; !done; n++) {
            watched w = {0};
            cairn_context *context = NULL;
            CHECK_OK(watched_context(&w, &context));
            size_t blocks = w.blocks;
            w.fail_at = w.calls + n;
            w.fail_on = n % 2;
            cairn_grid *grid = NULL;
            cairn_error error = {0};
            cairn_status status = cairn_tiled_parse(
                context, (cairn_bytes){longer.data, longer.size}, &options, &grid, &error);
            done = !w.failures;
            CHECK(status == (done ? CAIRN_OK : CAIRN_OUT_OF_MEMORY), "request %u: %s", (unsigned)n,
                  error.text);
            assert_true(!grid == !done);
            cairn_grid_destroy(grid);
            assert_int_equal(w.blocks, blocks);
            assert_false(w.wrong_size);
            cairn_context_destroy(context);
        }
        text_free(&file);
        text_free(&longer);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define WITH_CONTEXT(name) cmocka_unit_test_setup_teardown(name, context_set_up, context_tear_down)
        WITH_CONTEXT(all_ways_to_write_a_map_give_the_same_grid),
        WITH_CONTEXT(hexagons_keep_their_neighbours),
        WITH_CONTEXT(positions_count_from_the_cell_0_0_of_the_file),
        WITH_CONTEXT(names_and_properties_of_layers_block),
        WITH_CONTEXT(options_choose_layers_tiles_and_void),
        WITH_CONTEXT(the_topmost_layer_that_says_something_counts),
        WITH_CONTEXT(tilesets_may_have_files_of_their_own),
        WITH_CONTEXT(files_are_read_with_the_tilesets_beside_them),
        WITH_CONTEXT(a_tileset_that_is_a_pipe_is_refused),
        WITH_CONTEXT(the_bundled_maps_are_what_they_show),
        WITH_CONTEXT(wrong_files_are_refused_with_line_and_reason),
        WITH_CONTEXT(long_names_are_cut_between_letters),
        WITH_CONTEXT(a_layer_that_is_not_there_is_named),
        WITH_CONTEXT(files_cut_anywhere_are_refused),
        WITH_CONTEXT(files_with_a_changed_byte_are_refused_or_read),
        cmocka_unit_test(bombs_are_refused),
        cmocka_unit_test(short_files_ask_for_few_cells),
        WITH_CONTEXT(elements_mean_what_their_xml_means),
        WITH_CONTEXT(damaged_elements_are_refused),
        WITH_CONTEXT(deep_nesting_is_refused),
        WITH_CONTEXT(too_many_of_anything_is_refused),
        WITH_CONTEXT(arguments_that_make_no_sense_are_invalid),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
