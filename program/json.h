/* json.h: a small JSON writer and reader. */
#ifndef PROGRAM_JSON_H
#define PROGRAM_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* ---- writing ---- */

enum { JSON_DEPTH = 16 };

typedef struct json {
    FILE *out;
    uint32_t depth;
    bool filled[JSON_DEPTH]; /* something stands at this depth already */
    bool broken[JSON_DEPTH]; /* one member a line */
    char closing[JSON_DEPTH];
} json;

json json_to(FILE *out);

/* `key` is NULL inside arrays and at the top. A list is an array of one member a line. */
void json_object(json *j, const char *key);
void json_array(json *j, const char *key);
void json_list(json *j, const char *key);
void json_end(json *j);

/* How many documents have been begun on standard output. */
uint32_t json_documents(void);

void json_text(json *j, const char *key, const char *value); /* NULL = null */
void json_integer(json *j, const char *key, int64_t value);
void json_number(json *j, const char *key, double value); /* not finite = null */
void json_bool(json *j, const char *key, bool value);
void json_null(json *j, const char *key);

/* ---- reading ---- */

typedef enum json_kind {
    JSON_NULL,
    JSON_FALSE,
    JSON_TRUE,
    JSON_NUMBER,
    JSON_TEXT,
    JSON_ARRAY,
    JSON_OBJECT
} json_kind;

/* A value in the tree; children of arrays and objects are linked. */
typedef struct json_value {
    json_kind kind;
    double number;
    char *text; /* JSON_TEXT: UTF-8, may hold no zero byte */
    char *key;  /* in an object */
    struct json_value *first, *next;
} json_value;

/* NULL on a fault, which is then at *line (1-based) for *reason. Free with json_free. */
json_value *json_parse(const char *data, size_t size, uint32_t *line, const char **reason);
void json_free(json_value *value);

/* The member of an object, NULL if there is none (or no object). */
const json_value *json_member(const json_value *object, const char *key);

#endif
