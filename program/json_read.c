/* json_read.c: reading JSON, for `bench --against`. A recursive reader with a limit of
 * depth; it takes any JSON document, and needs no library for it.
 */
#include "json.h"

#include <stdlib.h>
#include <string.h>

enum { JSON_READ_DEPTH = 64 };

typedef struct json_reader {
    const char *at, *end;
    uint32_t line;
    const char *reason; /* the first fault */
} json_reader;

static json_value *json_read_value(json_reader *r, uint32_t depth);

static bool json_fault(json_reader *r, const char *reason)
{
    if (!r->reason) r->reason = reason;
    return false;
}

static void json_skip_blanks(json_reader *r)
{
    while (r->at < r->end && strchr(" \t\r\n", *r->at) && *r->at) {
        if (*r->at == '\n') r->line++;
        r->at++;
    }
}

static bool json_take(json_reader *r, const char *word)
{
    size_t length = strlen(word);
    if ((size_t)(r->end - r->at) < length || memcmp(r->at, word, length)) return false;
    r->at += length;
    return true;
}

/* ---- text ---- */

static bool json_read_hex(json_reader *r, uint32_t *out)
{
    *out = 0;
    for (int i = 0; i < 4; i++, r->at++) {
        const char *digits = "0123456789abcdef", *found;
        char c = r->at < r->end ? *r->at : 0;
        if (c >= 'A' && c <= 'F') c = (char)(c - 'A' + 'a');
        found = c ? strchr(digits, c) : NULL;
        if (!found) return json_fault(r, "\\u needs four hexadecimal digits");
        *out = *out * 16 + (uint32_t)(found - digits);
    }
    return true;
}

static size_t json_put_utf8(char *out, uint32_t c)
{
    if (c < 0x80) return out[0] = (char)c, 1;
    if (c < 0x800) return out[0] = (char)(0xc0 | c >> 6), out[1] = (char)(0x80 | (c & 63)), 2;
    if (c < 0x10000) {
        out[0] = (char)(0xe0 | c >> 12), out[1] = (char)(0x80 | (c >> 6 & 63));
        return out[2] = (char)(0x80 | (c & 63)), 3;
    }
    out[0] = (char)(0xf0 | c >> 18), out[1] = (char)(0x80 | (c >> 12 & 63));
    return out[2] = (char)(0x80 | (c >> 6 & 63)), out[3] = (char)(0x80 | (c & 63)), 4;
}

/* Behind a backslash. Writes at most four bytes; 0 = fault. */
static size_t json_read_escape(json_reader *r, char *out)
{
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    char c = r->at < r->end ? *r->at++ : 0;
    const char *found = c ? strchr(from, c) : NULL;
    if (found) return out[0] = to[found - from], 1;
    uint32_t code, low;
    if (c != 'u') return json_fault(r, "unknown escape in a text"), 0;
    if (!json_read_hex(r, &code)) return 0;
    if (code >= 0xd800 && code < 0xdc00 && json_take(r, "\\u")) {
        if (!json_read_hex(r, &low)) return 0;
        code = low >= 0xdc00 && low < 0xe000 ? 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00)
                                             : 0xfffd;
    }
    if (!code || (code >= 0xd800 && code < 0xe000)) code = 0xfffd;
    return json_put_utf8(out, code);
}

/* At the opening quote. The text is never longer than what it was written as. */
static char *json_read_text(json_reader *r)
{
    const char *close = ++r->at;
    while (close < r->end && *close != '"') close += *close == '\\' ? 2 : 1;
    if (close >= r->end) return json_fault(r, "a text does not end"), NULL;
    char *text = malloc((size_t)(close - r->at) + 5);
    if (!text) return json_fault(r, "no memory"), NULL;
    size_t length = 0;
    while (r->at < close) {
        char c = *r->at++;
        if (c == '\\') {
            size_t put = json_read_escape(r, text + length);
            if (!put) return free(text), NULL;
            length += put;
        } else if ((unsigned char)c < 0x20) {
            json_fault(r, "a text holds a control character");
            return free(text), NULL;
        } else {
            text[length++] = c;
        }
    }
    r->at = close + 1;
    text[length] = 0;
    return text;
}

/* ---- values ---- */

static bool json_read_members(json_reader *r, json_value *value, uint32_t depth)
{
    bool object = value->kind == JSON_OBJECT;
    char close = object ? '}' : ']';
    json_value **link = &value->first;
    json_skip_blanks(r);
    if (r->at < r->end && *r->at == close) return r->at++, true;
    for (;;) {
        char *key = NULL;
        json_skip_blanks(r);
        if (object) {
            if (r->at >= r->end || *r->at != '"') return json_fault(r, "expected a key in quotes");
            key = json_read_text(r);
            if (!key) return false;
            json_skip_blanks(r);
            if (!json_take(r, ":")) return free(key), json_fault(r, "expected a colon after a key");
        }
        json_value *member = json_read_value(r, depth + 1);
        if (!member) return free(key), false;
        member->key = key;
        *link = member;
        link = &member->next;
        json_skip_blanks(r);
        if (json_take(r, ",")) continue;
        if (r->at < r->end && *r->at == close) return r->at++, true;
        return json_fault(r, object ? "expected a comma or }" : "expected a comma or ]");
    }
}

static bool json_read_number(json_reader *r, json_value *value)
{
    char text[64];
    size_t length = 0;
    while (r->at < r->end && length < sizeof text - 1 && *r->at &&
           strchr("+-.0123456789eE", *r->at))
        text[length++] = *r->at++;
    text[length] = 0;
    char *rest;
    value->number = strtod(text, &rest);
    value->kind = JSON_NUMBER;
    return length && !*rest ? true : json_fault(r, "expected a value");
}

static bool json_fill(json_reader *r, json_value *value, uint32_t depth)
{
    char c = r->at < r->end ? *r->at : 0;
    if (c == '{' || c == '[') {
        if (depth >= JSON_READ_DEPTH) return json_fault(r, "too deeply nested");
        r->at++;
        value->kind = c == '{' ? JSON_OBJECT : JSON_ARRAY;
        return json_read_members(r, value, depth);
    }
    if (c == '"') {
        value->kind = JSON_TEXT;
        value->text = json_read_text(r);
        return value->text != NULL;
    }
    if (json_take(r, "true")) return value->kind = JSON_TRUE, true;
    if (json_take(r, "false")) return value->kind = JSON_FALSE, true;
    if (json_take(r, "null")) return value->kind = JSON_NULL, true;
    return json_read_number(r, value);
}

static json_value *json_read_value(json_reader *r, uint32_t depth)
{
    json_skip_blanks(r);
    json_value *value = calloc(1, sizeof *value);
    if (!value) return json_fault(r, "no memory"), NULL;
    if (json_fill(r, value, depth)) return value;
    json_free(value);
    return NULL;
}

json_value *json_parse(const char *data, size_t size, uint32_t *line, const char **reason)
{
    json_reader r = {.at = data, .end = data + size, .line = 1};
    json_value *value = json_read_value(&r, 0);
    json_skip_blanks(&r);
    if (value && r.at != r.end) {
        json_fault(&r, "there is more after the end of the document");
        json_free(value);
        value = NULL;
    }
    *line = r.line;
    *reason = r.reason;
    return value;
}

void json_free(json_value *value)
{
    while (value) {
        json_value *next = value->next;
        json_free(value->first);
        free(value->text);
        free(value->key);
        free(value);
        value = next;
    }
}

const json_value *json_member(const json_value *object, const char *key)
{
    if (!object || object->kind != JSON_OBJECT) return NULL;
    for (const json_value *member = object->first; member; member = member->next)
        if (!strcmp(member->key, key)) return member;
    return NULL;
}
