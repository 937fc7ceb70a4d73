/* args_lines.c: options as lines of a file (see args.h). What `cairn simulate --scenario` reads and
 * a recording keeps. Files of others name no files: no line makes the program read or write one.
 */
#include "args.h"

#include "command.h"

#include <ctype.h>
#include <string.h>

static const arg_flag *lines_find(const command *self, const char *name)
{
    for (uint32_t i = 0; i < self->flag_count; i++) {
        const arg_flag *flag = &self->flags[i];
        bool value = flag->kind == ARG_SWITCH || flag->kind == ARG_TEXT || flag->kind == ARG_COUNT;
        if (value && !strcmp(flag->name, name)) return flag;
    }
    return NULL;
}

/* Cuts off blanks on both sides. */
static char *lines_trim(char *text)
{
    while (isspace((unsigned char)*text)) text++;
    for (size_t n = strlen(text); n && isspace((unsigned char)text[n - 1]); n--) text[n - 1] = 0;
    return text;
}

static bool lines_take(const command *self, char *line, void *options)
{
    char argument[64], *name = lines_trim(line), *value = name + strcspn(name, " \t");
    if (!*name || *name == '#') return true;
    if (*value) *value++ = 0;
    value = lines_trim(value);
    if (!lines_find(self, name) || strlen(name) + 3 > sizeof argument) return false;
    snprintf(argument, sizeof argument, "--%s", name);
    char *argv[] = {argument, value};
    int argc = *value ? 2 : 1;
    return args_parse(self, &argc, argv, options) == ARGS_GO && !argc;
}

bool args_read_lines(const command *self, char *text, const char *name, void *options)
{
    uint32_t number = 1;
    for (char *line = text; line; number++) {
        char *end = strchr(line, '\n');
        if (end) *end++ = 0;
        if (!lines_take(self, line, options)) {
            complain("%s: line %u is no option with its value, as `cairn %s --help` lists them",
                     name, number, self->name);
            return false;
        }
        line = end;
    }
    return true;
}

void args_write_lines(const command *self, const void *options, FILE *out)
{
    for (uint32_t i = 0; i < self->flag_count; i++) {
        const arg_flag *flag = &self->flags[i];
        const char *at = (const char *)options + flag->offset;
        if (flag->kind == ARG_SWITCH && *(const bool *)at) fprintf(out, "%s\n", flag->name);
        if (flag->kind == ARG_COUNT && *(const uint32_t *)(const void *)at)
            fprintf(out, "%s %u\n", flag->name, *(const uint32_t *)(const void *)at);
        if (flag->kind == ARG_TEXT && *(const char *const *)(const void *)at)
            fprintf(out, "%s %s\n", flag->name, *(const char *const *)(const void *)at);
    }
}

static size_t lines_size(const arg_flag *flag)
{
    switch (flag->kind) {
    case ARG_SWITCH: return sizeof(bool);
    case ARG_COUNT: return sizeof(uint32_t);
    case ARG_TEXT:
    case ARG_INPUT:
    case ARG_OUTPUT:
    case ARG_MAYBE: return sizeof(const char *);
    case ARG_TEXTS: return sizeof(arg_texts);
    case ARG_CELLS:
    case ARG_LATER: break;
    }
    return 0;
}

void args_fill(const command *self, void *options, const void *unset, const void *from)
{
    for (uint32_t i = 0; i < self->flag_count; i++) {
        size_t at = self->flags[i].offset, size = lines_size(&self->flags[i]);
        if (!memcmp((char *)options + at, (const char *)unset + at, size))
            memcpy((char *)options + at, (const char *)from + at, size);
    }
}
