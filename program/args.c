/* args.c: reads the command line by a command's table of flags, and prints that table as
 * help. Values come as `--key value` or `--key=value`; `--` ends the flags. For an
 * unknown flag the nearest known one is suggested. "-" is standard input or output.
 *
 * Complaints of a program that prints JSON are kept until it ends: only then is it known whether
 * they are why there is no document, and then they are the document.
 */
#include "args.h"

#include "command.h"
#include "files.h"
#include "interrupt.h"
#include "json.h"
#include "text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- complaints ---- */

/* What a program that prints JSON has to say when it ends. */
static struct {
    bool on;
    char text[2048]; /* sentences, a line each */
} complaints;

static void complain_arguments(const char *format, va_list arguments)
{
    size_t used = strlen(complaints.text);
    bool note = !strncmp(format, "note: ", 6);
    if (interrupt_came() && !note) return; /* what fails then fails because of it */
    if (complaints.on && !note && used + 2 < sizeof complaints.text) {
        if (used) complaints.text[used++] = '\n';
        vsnprintf(complaints.text + used, sizeof complaints.text - used, format, arguments);
        return;
    }
    fputs("cairn: ", stderr);
    text_say(stderr, format, arguments);
    fputc('\n', stderr);
}

void complain(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    complain_arguments(format, arguments);
    va_end(arguments);
}

int complain_usage(const command *self, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    complain_arguments(format, arguments);
    va_end(arguments);
    if (!complaints.on) fprintf(stderr, "Try `cairn %s --help`.\n", self->name);
    return END_USAGE;
}

void complain_as_json(void)
{
    complaints.on = true;
}

static void complain_print_json(int end)
{
    json j = json_to(stdout);
    json_object(&j, NULL);
    json_text(&j, "error", complaints.text);
    json_text(&j, "status", end == END_USAGE ? "wrong usage" : "bad data");
    json_integer(&j, "exit_code", end);
    json_end(&j);
}

void complain_end(int end)
{
    bool failed = end == END_USAGE || end == END_DATA;
    if (!complaints.on || !complaints.text[0]) return;
    complaints.on = false;
    if (failed && !json_documents())
        complain_print_json(end);
    else
        for (char *line = strtok(complaints.text, "\n"); line; line = strtok(NULL, "\n"))
            complain("%s", line);
    complaints.text[0] = 0;
}

int complain_count(const command *self, const char *expected, int got, const char *example)
{
    char count[16] = "none";
    if (got) snprintf(count, sizeof count, "%d", got);
    return complain_usage(self, "%s: expected %s, got %s (try: cairn %s %s)", self->name, expected,
                          count, self->name, example);
}

/* ---- parsing ---- */

static const arg_flag *args_find(const command *self, const char *name, size_t length, bool letter)
{
    for (uint32_t i = 0; i < self->flag_count; i++) {
        const arg_flag *flag = &self->flags[i];
        if (letter ? length == 1 && flag->letter && flag->letter == name[0]
                   : strlen(flag->name) == length && !memcmp(flag->name, name, length))
            return flag;
    }
    return NULL;
}

static args_result args_unknown(const command *self, const char *argument)
{
    char name[64];
    size_t length = strcspn(argument, "=");
    snprintf(name, sizeof name, "%.*s", (int)(length < 60 ? length : 60), argument);
    const char *near = NULL;
    for (uint32_t i = 0; name[1] == '-' && i < self->flag_count; i++)
        near = text_nearer(name + 2, near, self->flags[i].name);
    if (near)
        complain_usage(self, "%s: there is no option %s; did you mean --%s?", self->name, name,
                       near);
    else
        complain_usage(self, "%s: there is no option %s", self->name, name);
    return ARGS_WRONG;
}

/* A file to read. Standard input can be read once. */
static bool args_input(const command *self, const char **name)
{
    static bool taken;
    if (strcmp(*name, "-")) return true;
    if (taken) complain_usage(self, "%s: standard input (-) can be read only once", self->name);
    *name = FILES_INPUT;
    bool ok = !taken;
    taken = true;
    return ok;
}

/* An argument that is no flag, the `number`-th. */
static bool args_argument(const command *self, int number, char **argument)
{
    const char *name = *argument;
    if (number == self->output) files_take_output(name);
    if (number == self->output || strcmp(name, "-")) return true;
    bool ok = args_input(self, &name);
    *argument = (char *)(uintptr_t)name;
    return ok;
}

static uint32_t args_cells;

uint32_t args_max_cells(void)
{
    return args_cells;
}

static args_result args_store(const command *self, const arg_flag *flag, const char *value,
                              void *options)
{
    void *target = (char *)options + flag->offset;
    if (flag->kind == ARG_INPUT && !args_input(self, &value)) return ARGS_WRONG;
    if (flag->kind == ARG_OUTPUT) files_take_output(value);
    if (flag->kind == ARG_TEXT || flag->kind == ARG_MAYBE || flag->kind == ARG_INPUT ||
        flag->kind == ARG_OUTPUT)
        *(const char **)target = value;
    if (flag->kind == ARG_TEXTS) {
        arg_texts *texts = target;
        if (texts->count == ARG_TEXTS_MAX) {
            complain_usage(self, "--%s can be given at most %d times", flag->name, ARG_TEXTS_MAX);
            return ARGS_WRONG;
        }
        texts->items[texts->count++] = value;
    }
    if (flag->kind == ARG_COUNT || flag->kind == ARG_CELLS) {
        int64_t number;
        if (!text_integer(value, strlen(value), flag->minimum, flag->maximum, &number)) {
            complain_usage(self, "--%s must be a whole number from %u to %u, not \"%s\"",
                           flag->name, flag->minimum, flag->maximum, value);
            return ARGS_WRONG;
        }
        *(flag->kind == ARG_CELLS ? &args_cells : (uint32_t *)target) = (uint32_t)number;
    }
    return ARGS_GO;
}

/* One flag at argv[*at]; its value may be the next argument. */
static args_result args_flag(const command *self, int argc, char **argv, int *at, void *options)
{
    const char *argument = argv[*at];
    bool letter = argument[1] != '-';
    const char *name = argument + (letter ? 1 : 2);
    const char *equals = letter ? NULL : strchr(name, '=');
    size_t length = equals ? (size_t)(equals - name) : strlen(name);
    const arg_flag *flag = args_find(self, name, length, letter);
    if (!flag) return args_unknown(self, argument);
    if (flag->kind == ARG_LATER) {
        complain_usage(self, "--%s is not supported yet: %s", flag->name, flag->help);
        return ARGS_WRONG;
    }
    if (flag->kind == ARG_SWITCH) {
        if (equals) {
            complain_usage(self, "--%s takes no value", flag->name);
            return ARGS_WRONG;
        }
        *(bool *)((char *)options + flag->offset) = true;
        return ARGS_GO;
    }
    const char *value = equals ? equals + 1 : NULL;
    if (!value && flag->kind == ARG_MAYBE) value = "";
    if (!value && *at + 1 < argc) value = argv[++*at];
    if (!value) {
        complain_usage(self, "--%s: expected a value, %s", flag->name, flag->value);
        return ARGS_WRONG;
    }
    return args_store(self, flag, value, options);
}

args_result args_parse(const command *self, int *argc, char **argv, void *options)
{
    int count = *argc, kept = 0;
    bool flags = true;
    for (int i = 0; i < count; i++) {
        if (flags && (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h"))) {
            args_help(self);
            return ARGS_HELPED;
        }
        if (flags && !strcmp(argv[i], "--")) {
            flags = false;
        } else if (flags && argv[i][0] == '-' && argv[i][1]) {
            args_result result = args_flag(self, count, argv, &i, options);
            if (result != ARGS_GO) return result;
        } else {
            argv[kept] = argv[i];
            if (!args_argument(self, kept + 1, &argv[kept])) return ARGS_WRONG;
            kept++;
        }
    }
    *argc = kept;
    return ARGS_GO;
}

/* ---- help ---- */

enum { ARGS_HELP_COLUMN = 28, ARGS_HELP_WIDTH = 100 };

/* Prints words, which blanks and ends of lines separate, in lines of at most ARGS_HELP_WIDTH
 * columns that begin after `indent` blanks. The first line is already there up to the indent. */
static void args_help_words(const char *text, size_t length, uint32_t indent)
{
    const char *end = text + length;
    for (uint32_t at = indent; text < end;) {
        size_t bytes = strcspn(text, " \n");
        uint32_t width = 0;
        for (size_t i = 0; i < bytes; i++) width += (text[i] & 0xc0) != 0x80; /* UTF-8 */
        bool full = at > indent && at + 1 + width > ARGS_HELP_WIDTH;
        if (full)
            printf("\n%*s", (int)indent, "");
        else if (at > indent)
            putchar(' ');
        fwrite(text, 1, bytes, stdout);
        at = (full ? indent : at + (at > indent)) + width;
        text += bytes + 1;
    }
    putchar('\n');
}

/* Wraps paragraphs. Lines that begin with a blank and empty ones stand as they are. */
static void args_help_prose(const char *text)
{
    while (*text) {
        size_t length = strcspn(text, "\n");
        bool wraps = *text != ' ' && *text != '\n';
        while (wraps && text[length] && !strchr(" \n", text[length + 1]))
            length += 1 + strcspn(text + length + 1, "\n");
        if (wraps)
            args_help_words(text, length, 0);
        else
            printf("%.*s\n", (int)length, text);
        text += length + (text[length] != 0);
    }
}

static void args_help_flag(const arg_flag *flag)
{
    char left[64];
    char letter[8] = "    ";
    if (flag->letter) snprintf(letter, sizeof letter, "-%c, ", flag->letter);
    snprintf(left, sizeof left, "%s--%s%s%s", letter, flag->name,
             flag->value && flag->kind != ARG_MAYBE ? " " : "", flag->value ? flag->value : "");
    uint32_t width = text_width(left);
    bool alone = width > ARGS_HELP_COLUMN;
    printf(alone ? "  %s\n  " : "  %s", left);
    printf("%*s  ", (int)(ARGS_HELP_COLUMN - (alone ? 0 : width)), "");
    args_help_words(flag->help, strlen(flag->help), ARGS_HELP_COLUMN + 4);
}

void args_help(const command *self)
{
    printf("cairn %s %s\n\n%s.\n\nOptions:\n", self->name, self->synopsis, self->summary);
    for (uint32_t i = 0; i < self->flag_count; i++)
        if (self->flags[i].kind != ARG_LATER) args_help_flag(&self->flags[i]);
    printf("  %-*s  %s\n\n", ARGS_HELP_COLUMN, "-h, --help", "print this help");
    args_help_prose(self->details);
}
