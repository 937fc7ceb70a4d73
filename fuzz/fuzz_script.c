/* fuzz_script.c: any bytes as a walk script. What is refused must say where and why; what is
 * accepted must keep the promises of io.h, and read the same when it is written.
 */
#include <cairn/io.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition)
{
    if (!condition) abort();
}

static void check_cell(cairn_cell cell)
{
    require(cell.x >= 0 && cell.x < (int32_t)CAIRN_GRID_MAX && cell.y >= 0 &&
            cell.y < (int32_t)CAIRN_GRID_MAX);
}

static void check_script(const cairn_script *s)
{
    require(memchr(s->title, 0, sizeof s->title) && memchr(s->file, 0, sizeof s->file));
    require(s->map < CAIRN_SCRIPT_MAP_COUNT && s->end < CAIRN_SCRIPT_END_COUNT);
    require((s->map == CAIRN_SCRIPT_MAP_ROWS) == (s->rows != NULL));
    require((s->map == CAIRN_SCRIPT_MAP_FILE) == (s->file[0] != 0));
    check_cell(s->from);
    check_cell(s->to);
    require(s->change_count <= CAIRN_SCRIPT_CHANGES_MAX);
    for (uint32_t i = 0; i < s->change_count; i++) {
        const cairn_script_change *c = &s->changes[i];
        require(c->action < CAIRN_SCRIPT_ACTION_COUNT && (!i || c[-1].at <= c->at));
        check_cell(c->first);
        check_cell(c->last);
        require(c->first.x <= c->last.x && c->first.y <= c->last.y);
    }
}

static void check_writing(cairn_context *context, const cairn_script *s)
{
    cairn_file text, twice;
    cairn_script again;
    require(cairn_script_format(context, s, &text, NULL) == CAIRN_OK);
    require(cairn_script_parse(context, (cairn_bytes){text.data, text.size}, &again, NULL) ==
            CAIRN_OK);
    require(again.change_count == s->change_count && again.map == s->map &&
            again.rows_size == s->rows_size);
    require(!memcmp(&again.from, &s->from, sizeof s->from) &&
            !memcmp(&again.to, &s->to, sizeof s->to));
    require(again.profile.radius == s->profile.radius &&
            again.profile.footprint == s->profile.footprint);
    require(cairn_script_format(context, &again, &twice, NULL) == CAIRN_OK);
    require(text.size == twice.size && !memcmp(text.data, twice.data, text.size));
    cairn_file_free(context, &text);
    cairn_file_free(context, &twice);
    cairn_script_free(context, &again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    cairn_context *context = NULL;
    require(cairn_context_create(NULL, &context) == CAIRN_OK);
    cairn_script script;
    cairn_error error = {0};
    cairn_status status =
        cairn_script_parse(context, (cairn_bytes){(const char *)data, size}, &script, &error);
    if (status == CAIRN_OK) {
        check_script(&script);
        check_writing(context, &script);
    } else {
        require(!script.changes && !script.rows && error.status == status && error.text[0]);
        require(memchr(error.text, 0, sizeof error.text) != NULL);
        require(status != CAIRN_BAD_DATA || (error.line >= 1 && error.line <= size + 1));
    }
    cairn_script_free(context, &script);
    cairn_context_destroy(context);
    return 0;
}
