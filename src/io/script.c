/* script.c: walk scripts: a start, a goal, and what changes while an agent walks (docs/files.md).
 *
 *     cairn-walk 1
 *     title A door that closes
 *     map rooms.map
 *     from 3,4
 *     to 50,40
 *     at 12 block 20,10 20,14
 *     at 40 goal 10,10
 *
 * After the first line, each line is a keyword with its values, in any order; but changes must be
 * in the order of their steps. The idea, a start, an end, cells that change and the step that
 * triggers the change, is that of the test cases of J. Harvanová's thesis, section 3.3.5.
 */
#include "io/support.h"

#include <string.h>

#define SCRIPT_SIZE_MAX ((size_t)64 << 20)

typedef struct script_reader {
    cairn_context *context;
    crn_io_lines lines;
    const char *at, *end; /* of the line: what was not read yet */
    cairn_script *out;
    size_t capacity; /* of changes */
    uint32_t said;   /* a bit for each word that may stand only once */
    cairn_error *error;
} script_reader;

static cairn_status script_bad(script_reader *reader, const char *text)
{
    return crn_io_fail(reader->error, CAIRN_BAD_DATA, reader->lines.number, "%s", text);
}

/* ---- fields ---- */

static bool script_field(script_reader *reader, crn_io_field *out)
{
    return crn_io_next_field(&reader->at, reader->end, out);
}

static bool script_at_end(script_reader *reader)
{
    crn_io_field rest;
    return !script_field(reader, &rest);
}

/* "A,B" or "AxB" */
static bool script_pair(crn_io_field field, char between, uint32_t maximum, uint32_t *a,
                        uint32_t *b)
{
    const char *mark = memchr(field.text, between, field.length);
    if (!mark) return false;
    crn_io_field first = {field.text, (size_t)(mark - field.text)};
    crn_io_field second = {mark + 1, field.length - first.length - 1};
    return crn_io_field_number(first, maximum, a) && crn_io_field_number(second, maximum, b);
}

static bool script_cell_of(crn_io_field field, cairn_cell *out)
{
    uint32_t x, y;
    if (!script_pair(field, ',', CAIRN_GRID_MAX - 1, &x, &y)) return false;
    *out = (cairn_cell){(int32_t)x, (int32_t)y};
    return true;
}

static bool script_cell(script_reader *reader, cairn_cell *out)
{
    crn_io_field field;
    return script_field(reader, &field) && script_cell_of(field, out);
}

/* The class of a name or number. */
static bool script_terrain(script_reader *reader, uint8_t *out)
{
    crn_io_field field;
    uint32_t class;
    if (!script_field(reader, &field)) return false;
    for (class = 0; class < CAIRN_TERRAIN_FREE; class ++)
        if (crn_io_field_is(field, cairn_terrain_name(class))) break;
    if (class == CAIRN_TERRAIN_FREE && !crn_io_field_number(field, 255, &class)) return false;
    *out = (uint8_t) class;
    return true;
}

static bool script_is_clean(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)text[i] < ' ') return false;
    return true;
}

/* The rest of the line without surrounding blanks, as a text; false if it is empty, too long, or
 * has characters that cannot be printed. */
static bool script_rest(script_reader *reader, char *out, size_t capacity)
{
    const char *first = reader->at, *last = reader->end;
    while (first < last && (*first == ' ' || *first == '\t')) first++;
    while (last > first && (last[-1] == ' ' || last[-1] == '\t')) last--;
    size_t length = (size_t)(last - first);
    if (!length || length >= capacity || !script_is_clean(first, length)) return false;
    memcpy(out, first, length);
    out[length] = 0;
    return true;
}

/* ---- the agent ---- */

static cairn_status script_choice(script_reader *reader, const char *const *names,
                                  const char *complaint, uint32_t *out)
{
    crn_io_field field;
    if (!script_field(reader, &field)) return script_bad(reader, complaint);
    for (*out = 0; names[*out]; ++*out)
        if (crn_io_field_is(field, names[*out])) return CAIRN_OK;
    return script_bad(reader, complaint);
}

static cairn_status script_neighbours(script_reader *reader)
{
    static const char *const names[] = {"4", "8", "hex", NULL};
    uint32_t choice;
    cairn_status status = script_choice(reader, names, "neighbours must be 4, 8 or hex", &choice);
    if (!status) reader->out->profile.neighbours = (cairn_neighbours)choice;
    return status;
}

static cairn_status script_corners(script_reader *reader)
{
    static const char *const names[] = {"never", "one", "always", NULL};
    uint32_t choice;
    cairn_status status =
        script_choice(reader, names, "corners must be never, one or always", &choice);
    if (!status) reader->out->profile.corners = (cairn_corners)choice;
    return status;
}

/* A number with up to three decimals, in thousandths. */
static bool script_milli(script_reader *reader, uint32_t most, uint32_t *milli)
{
    crn_io_field field;
    uint32_t whole = 0, part = 0, scale = 1000;
    if (!script_field(reader, &field)) return false;
    const char *point = memchr(field.text, '.', field.length);
    crn_io_field before = {field.text, point ? (size_t)(point - field.text) : field.length};
    if (!crn_io_field_number(before, most, &whole)) return false;
    if (point) {
        crn_io_field behind = {point + 1, field.length - before.length - 1};
        if (behind.length > 3 || !crn_io_field_number(behind, 999, &part)) return false;
        for (size_t i = 0; i < behind.length; i++) scale /= 10;
    }
    *milli = whole * 1000 + part * scale;
    return true;
}

static cairn_status script_radius(script_reader *reader)
{
    uint32_t milli;
    if (!script_milli(reader, (uint32_t)CAIRN_RADIUS_MAX, &milli) ||
        milli / 1000.0 > CAIRN_RADIUS_MAX)
        return script_bad(reader, "the radius must be 0 to 32 cells, with at most three decimals");
    reader->out->profile.radius = milli / 1000.0;
    return CAIRN_OK;
}

static cairn_status script_footprint(script_reader *reader)
{
    crn_io_field field;
    if (!script_field(reader, &field) ||
        !crn_io_field_number(field, CAIRN_FOOTPRINT_MAX, &reader->out->profile.footprint))
        return script_bad(reader, "the footprint must be 0 to 64 cells");
    return CAIRN_OK;
}

static cairn_status script_cost(script_reader *reader)
{
    uint8_t class;
    uint32_t milli;
    if (!script_terrain(reader, &class) || !script_milli(reader, 255, &milli))
        return script_bad(reader,
                          "a cost reads: cost CLASS COST, with a class ground, swamp, water, trees "
                          "or 0 to 255, and 0 (forbidden) to 255.999");
    uint32_t cost = (milli * 256 + 500) / 1000;
    if (milli && !cost) cost = 1;
    reader->out->profile.terrain_cost[class] = (uint16_t)(cost < UINT16_MAX ? cost : UINT16_MAX);
    return CAIRN_OK;
}

/* ---- the map ---- */

static cairn_status script_one_map(script_reader *reader, cairn_script_map map)
{
    if (reader->out->map != CAIRN_SCRIPT_MAP_NONE)
        return script_bad(reader, "there is a map already");
    reader->out->map = map;
    return CAIRN_OK;
}

bool crn_script_name_fits(const char *name)
{
    if (!name[0] || strchr("/\\", name[0]) || strchr(name, ':')) return false;
    for (const char *part = name; *part; part += strcspn(part, "/\\"), part += *part != 0)
        if (!strncmp(part, "..", 2) && (!part[2] || strchr("/\\", part[2]))) return false;
    return true;
}

static cairn_status script_map_file(script_reader *reader)
{
    cairn_status status = script_one_map(reader, CAIRN_SCRIPT_MAP_FILE);
    if (!status && !script_rest(reader, reader->out->file, sizeof reader->out->file))
        status = script_bad(
            reader, "the name of the map is missing, longer than 239 letters, or no plain text");
    if (!status && !crn_script_name_fits(reader->out->file))
        status = script_bad(reader, "the map must lie in the folder of the script or below it: a "
                                    "relative name without \"..\" and \":\"");
    reader->at = reader->end;
    return status;
}

/* key=NUMBER of a generator. */
static cairn_status script_generator_number(script_reader *reader, crn_io_field field)
{
    cairn_generator *generator = &reader->out->generator;
    const cairn_generator_info *info = cairn_generator_about(generator->kind);
    const char *equals = memchr(field.text, '=', field.length);
    crn_io_field key = {field.text, equals ? (size_t)(equals - field.text) : field.length};
    crn_io_field number = {field.text + key.length + 1, equals ? field.length - key.length - 1 : 0};
    uint32_t value;
    if (!equals || !crn_io_field_number(number, UINT32_MAX, &value))
        return script_bad(
            reader, "behind the size of a generated map stand its numbers: seed=3 percent=20");
    if (crn_io_field_is(key, "seed")) {
        generator->seed = value;
        return CAIRN_OK;
    }
    for (uint32_t i = 0; i < info->parameter_count; i++) {
        const cairn_generator_parameter *p = &info->parameters[i];
        if (!crn_io_field_is(key, p->name)) continue;
        if (value < p->minimum || value > p->maximum)
            return crn_io_fail(reader->error, CAIRN_BAD_DATA, reader->lines.number,
                               "%s must be %u to %u", p->name, p->minimum, p->maximum);
        memcpy((char *)generator + p->offset, &value, sizeof value);
        return CAIRN_OK;
    }
    return crn_io_fail(reader->error, CAIRN_BAD_DATA, reader->lines.number,
                       "%s maps have no number of this name", info->name);
}

static cairn_status script_generate(script_reader *reader)
{
    cairn_script *out = reader->out;
    crn_io_field field;
    cairn_status status = script_one_map(reader, CAIRN_SCRIPT_MAP_GENERATED);
    if (status) return status;
    cairn_generator_kind kind = CAIRN_GENERATE_COUNT;
    if (script_field(reader, &field))
        for (kind = 0; kind < CAIRN_GENERATE_COUNT; kind++)
            if (crn_io_field_is(field, cairn_generator_about(kind)->name)) break;
    if (kind == CAIRN_GENERATE_COUNT || !cairn_generator_about(kind)->width)
        return script_bad(
            reader, "generate needs a kind of map that needs no other: rooms, caves and so on");
    out->generator = cairn_generator_default(kind);
    if (!script_field(reader, &field) ||
        !script_pair(field, 'x', CAIRN_GRID_MAX, &out->generator.width, &out->generator.height) ||
        !out->generator.width || !out->generator.height)
        return script_bad(reader, "behind the kind of a generated map stands its size: 64x48");
    while (!status && script_field(reader, &field)) status = script_generator_number(reader, field);
    return status;
}

/* All lines up to "end", as they are. */
static cairn_status script_rows(script_reader *reader)
{
    cairn_script *out = reader->out;
    cairn_status status = script_one_map(reader, CAIRN_SCRIPT_MAP_ROWS);
    if (status) return status;
    if (!script_at_end(reader)) return script_bad(reader, "behind \"rows\" the line ends");
    out->rows_line = reader->lines.number;
    crn_io_buffer buffer = {.context = reader->context};
    while (crn_io_next_line(&reader->lines)) {
        crn_io_field line = {reader->lines.line, reader->lines.length};
        if (crn_io_field_is(line, "end")) {
            cairn_file rows;
            reader->at = reader->end = NULL;
            status = crn_io_finish(&buffer, &rows, reader->error);
            out->rows = rows.data;
            out->rows_size = rows.size;
            return status;
        }
        if (!script_is_clean(line.text, line.length)) break;
        crn_io_put(&buffer, line.text, line.length);
        crn_io_put(&buffer, "\n", 1);
    }
    crn_io_discard(&buffer);
    return script_bad(reader,
                      "the rows do not end with a line \"end\", or one of them is malformed");
}

/* ---- the walk ---- */

static cairn_status script_title(script_reader *reader)
{
    if (!script_rest(reader, reader->out->title, sizeof reader->out->title))
        return script_bad(reader,
                          "the title is missing, longer than 119 letters, or no plain text");
    reader->at = reader->end;
    return CAIRN_OK;
}

static cairn_status script_from(script_reader *reader)
{
    return script_cell(reader, &reader->out->from) ? CAIRN_OK
                                                   : script_bad(reader, "from needs a cell X,Y");
}

static cairn_status script_to(script_reader *reader)
{
    return script_cell(reader, &reader->out->to) ? CAIRN_OK
                                                 : script_bad(reader, "to needs a cell X,Y");
}

static cairn_status script_expect(script_reader *reader)
{
    static const char *const names[] = {"arrived", "stopped", NULL};
    uint32_t choice;
    cairn_status status =
        script_choice(reader, names, "expect must be arrived or stopped", &choice);
    if (!status) reader->out->end = choice ? CAIRN_SCRIPT_END_STOPPED : CAIRN_SCRIPT_END_ARRIVED;
    return status;
}

const char *cairn_script_action_name(cairn_script_action action)
{
    static const char *const names[CAIRN_SCRIPT_ACTION_COUNT] = {"block", "open", "terrain",
                                                                 "goal"};
    return (uint32_t)action < CAIRN_SCRIPT_ACTION_COUNT ? names[action] : "unknown";
}

/* "X,Y" or "X,Y X,Y", any two corners, and for terrain the class behind them. */
static cairn_status script_area(script_reader *reader, cairn_script_change *change)
{
    if (!script_cell(reader, &change->first))
        return script_bad(reader, "a change needs a cell X,Y");
    change->last = change->first;
    if (change->action == CAIRN_SCRIPT_GOAL) return CAIRN_OK;
    const char *here = reader->at;
    cairn_cell other;
    if (script_cell(reader, &other)) {
        cairn_cell *a = &change->first, *b = &change->last;
        if (other.x < a->x) a->x = other.x;
        if (other.y < a->y) a->y = other.y;
        if (other.x > b->x) b->x = other.x;
        if (other.y > b->y) b->y = other.y;
    } else {
        reader->at = here;
    }
    if (change->action == CAIRN_SCRIPT_TERRAIN && !script_terrain(reader, &change->terrain))
        return script_bad(
            reader, "behind the cells stands a class: ground, swamp, water, trees or 0 to 255");
    return CAIRN_OK;
}

static bool script_grow(script_reader *reader)
{
    cairn_script *out = reader->out;
    size_t size = sizeof *out->changes;
    if (out->change_count < reader->capacity) return true;
    size_t capacity = reader->capacity ? reader->capacity * 2 : 16;
    void *changes = crn_io_resize(reader->context, out->changes, reader->capacity * size,
                                  crn_io_multiply(capacity, size));
    if (!changes) return false;
    out->changes = changes;
    reader->capacity = capacity;
    return true;
}

static cairn_status script_change(script_reader *reader)
{
    static const char *const names[] = {"block", "open", "terrain", "goal", NULL};
    cairn_script *out = reader->out;
    cairn_script_change change = {0};
    crn_io_field field;
    uint32_t action;
    if (!script_field(reader, &field) ||
        !crn_io_field_number(field, CAIRN_SCRIPT_STEP_MAX, &change.at))
        return script_bad(reader, "at needs a step: at 12 block 3,4");
    if (out->change_count && change.at < out->changes[out->change_count - 1].at)
        return script_bad(
            reader,
            "changes stand in the order of their steps, but this one comes before the last");
    cairn_status status =
        script_choice(reader, names, "a change is one of block, open, terrain and goal", &action);
    if (status) return status;
    change.action = (cairn_script_action)action;
    status = script_area(reader, &change);
    if (status) return status;
    if (out->change_count == CAIRN_SCRIPT_CHANGES_MAX)
        return script_bad(reader, "there are too many changes");
    if (!script_grow(reader)) return crn_io_no_memory(reader->error);
    out->changes[out->change_count++] = change;
    return CAIRN_OK;
}

/* ---- the whole ---- */

static const struct {
    const char *word;
    bool often;
    cairn_status (*read)(script_reader *reader);
} script_words[] = {
    {"title", false, script_title},
    {"map", true, script_map_file},
    {"generate", true, script_generate},
    {"rows", true, script_rows},
    {"neighbours", false, script_neighbours},
    {"corners", false, script_corners},
    {"radius", false, script_radius},
    {"footprint", false, script_footprint},
    {"cost", true, script_cost},
    {"from", false, script_from},
    {"to", false, script_to},
    {"expect", false, script_expect},
    {"at", true, script_change},
};

enum {
    SCRIPT_WORDS = sizeof script_words / sizeof script_words[0],
    SCRIPT_FROM = 9,
    SCRIPT_TO = 10
};

static cairn_status script_line(script_reader *reader)
{
    crn_io_field word;
    reader->at = reader->lines.line;
    reader->end = reader->at + reader->lines.length;
    if (!script_field(reader, &word) || word.text[0] == '#') return CAIRN_OK;
    for (uint32_t i = 0; i < SCRIPT_WORDS; i++) {
        if (!crn_io_field_is(word, script_words[i].word)) continue;
        if (!script_words[i].often && (reader->said >> i & 1))
            return crn_io_fail(reader->error, CAIRN_BAD_DATA, reader->lines.number,
                               "%s stands here twice", script_words[i].word);
        reader->said |= 1u << i;
        cairn_status status = script_words[i].read(reader);
        if (!status && !script_at_end(reader))
            status = script_bad(reader, "there is more on this line than belongs to it");
        return status;
    }
    return crn_io_fail(reader->error, CAIRN_BAD_DATA, reader->lines.number,
                       "there is no word \"%.*s\" in scripts",
                       word.length < 40 ? (int)word.length : 40, word.text);
}

static cairn_status script_first_line(script_reader *reader)
{
    crn_io_field word = {0}, number = {0};
    bool ok = crn_io_next_line(&reader->lines);
    if (ok) {
        reader->at = reader->lines.line;
        reader->end = reader->at + reader->lines.length;
        ok = script_field(reader, &word) && script_field(reader, &number) &&
             script_at_end(reader) && crn_io_field_is(word, "cairn-walk") &&
             crn_io_field_is(number, "1");
    }
    if (ok) return CAIRN_OK;
    return crn_io_fail(reader->error, CAIRN_BAD_DATA, 1,
                       "a walk script starts with the line \"cairn-walk 1\"");
}

static cairn_status script_read(script_reader *reader)
{
    cairn_status status = script_first_line(reader);
    while (!status && crn_io_next_line(&reader->lines)) status = script_line(reader);
    if (status) return status;
    const cairn_profile *profile = &reader->out->profile;
    if (!(reader->said >> SCRIPT_FROM & 1) || !(reader->said >> SCRIPT_TO & 1))
        return script_bad(reader, "a script needs a start and a goal: from X,Y and to X,Y");
    if (profile->radius > 0 && profile->footprint > 1)
        return script_bad(reader, "an agent has a radius or a footprint, not both");
    if (profile->footprint > 1 && profile->neighbours == CAIRN_NEIGHBOURS_HEX)
        return script_bad(reader, "footprints count squares: on hexagons there is the radius");
    return CAIRN_OK;
}

/* Frees the room that is not used, as cairn_script_free knows only the count. */
static bool script_shrink(script_reader *reader)
{
    cairn_script *out = reader->out;
    size_t size = sizeof *out->changes;
    if (out->change_count == reader->capacity) return true;
    void *changes = crn_io_resize(reader->context, out->changes, reader->capacity * size,
                                  out->change_count * size);
    if (!changes && out->change_count) return false;
    out->changes = changes;
    reader->capacity = out->change_count;
    return true;
}

cairn_status cairn_script_parse(cairn_context *context, cairn_bytes bytes, cairn_script *out,
                                cairn_error *error)
{
    if (!out) return crn_io_fail(error, CAIRN_INVALID, 0, "there is no place for the result");
    *out = (cairn_script){.profile = cairn_profile_default()};
    if (!context || (!bytes.data && bytes.size))
        return crn_io_fail(error, CAIRN_INVALID, 0, "context and data must be given");
    bytes = crn_io_skip_mark(bytes);
    script_reader reader = {.context = context,
                            .lines = crn_io_lines_of(bytes.data, bytes.size),
                            .out = out,
                            .error = error};
    cairn_status status = crn_io_check_text(bytes.data, bytes.size, "", error);
    if (!status && bytes.size > SCRIPT_SIZE_MAX)
        status = crn_io_fail(error, CAIRN_BAD_DATA, 1, "a script has at most 64 MiB");
    if (!status) status = script_read(&reader);
    if (!status && !script_shrink(&reader)) status = crn_io_no_memory(error);
    if (!status) return CAIRN_OK;
    if (out->changes)
        crn_io_resize(context, out->changes, reader.capacity * sizeof *out->changes, 0);
    out->changes = NULL;
    cairn_script_free(context, out);
    return status;
}

cairn_status cairn_script_load(cairn_context *context, const char *name, cairn_script *out,
                               cairn_error *error)
{
    if (!out) return crn_io_fail(error, CAIRN_INVALID, 0, "there is no place for the result");
    *out = (cairn_script){0};
    cairn_file file;
    cairn_status status = cairn_file_read(context, name, SCRIPT_SIZE_MAX, &file, error);
    if (status) return status;
    status = cairn_script_parse(context, (cairn_bytes){file.data, file.size}, out, error);
    cairn_file_free(context, &file);
    return status;
}

void cairn_script_free(cairn_context *context, cairn_script *script)
{
    if (!script) return;
    if (script->changes)
        crn_io_resize(context, script->changes, script->change_count * sizeof *script->changes, 0);
    if (script->rows) crn_io_resize(context, script->rows, script->rows_size + 1, 0);
    *script = (cairn_script){0};
}
