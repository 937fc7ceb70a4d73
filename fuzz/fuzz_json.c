/* fuzz_json.c: any bytes as JSON, for the program's own reader (program/json_read.c). What is
 * refused must say where and why; what is accepted is a tree in which every member can be found.
 */
#include "json.h"
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition)
{
    if (!condition) abort();
}

static void check_value(const json_value *value, uint32_t depth)
{
    require(depth <= 100 && value->kind <= JSON_OBJECT);
    require((value->kind == JSON_TEXT) == (value->text != NULL));
    bool holds = value->kind == JSON_ARRAY || value->kind == JSON_OBJECT;
    require(holds || !value->first);
    for (const json_value *member = value->first; member; member = member->next) {
        require((value->kind == JSON_OBJECT) == (member->key != NULL));
        if (member->key) {
            const json_value *found = json_member(value, member->key);
            require(found && !strcmp(found->key, member->key));
        }
        check_value(member, depth + 1);
    }
    require(!json_member(value, "\1 no such key"));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint32_t line = 0;
    const char *reason = NULL;
    json_value *value = json_parse((const char *)data, size, &line, &reason);
    require(line >= 1 && line <= size + 1);
    if (value) {
        require(!reason);
        check_value(value, 0);
    } else {
        require(reason && reason[0]);
    }
    json_free(value);
    return 0;
}
