/* args.h: the command line. A command describes its flags in a table that says where in
 * its options struct each value goes; one parser fills it, one printer makes --help.
 */
#ifndef PROGRAM_ARGS_H
#define PROGRAM_ARGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef enum arg_kind {
    ARG_SWITCH, /* bool */
    ARG_TEXT,   /* const char * */
    ARG_INPUT,  /* the name of a file to read: "-" becomes that of standard input */
    ARG_OUTPUT, /* the name of a file to write: with "-" standard output is its place */
    ARG_MAYBE,  /* the same, "" if no value is given: only --key=value gives one */
    ARG_TEXTS,  /* arg_texts: may be given several times */
    ARG_COUNT,  /* uint32_t from minimum to maximum */
    ARG_CELLS,  /* the same, for args_max_cells: it holds for all that the program reads */
    ARG_LATER   /* known but not built yet: `help` says what there is instead */
} arg_kind;

typedef struct arg_flag {
    const char *name; /* without the two dashes */
    char letter;      /* short form, 0 = none */
    arg_kind kind;
    const char *value; /* how --help calls the value; NULL for switches */
    const char *help;
    size_t offset; /* in the options struct */
    uint32_t minimum, maximum;
} arg_flag;

enum { ARG_TEXTS_MAX = 64 };

typedef struct arg_texts {
    const char *items[ARG_TEXTS_MAX];
    uint32_t count;
} arg_texts;

/* The lines of a table; `where` is the offset of the value. */
#define FLAG_SWITCH(name, help, where) \
    { \
        name, 0, ARG_SWITCH, NULL, help, where, 0, 0 \
    }
#define FLAG_TEXT(name, value, help, where) \
    { \
        name, 0, ARG_TEXT, value, help, where, 0, 0 \
    }
#define FLAG_INPUT(name, value, help, where) \
    { \
        name, 0, ARG_INPUT, value, help, where, 0, 0 \
    }
#define FLAG_OUTPUT(name, letter, value, help, where) \
    { \
        name, letter, ARG_OUTPUT, value, help, where, 0, 0 \
    }
#define FLAG_MAYBE(name, value, help, where) \
    { \
        name, 0, ARG_MAYBE, value, help, where, 0, 0 \
    }
#define FLAG_COUNT(name, value, help, where, minimum, maximum) \
    { \
        name, 0, ARG_COUNT, value, help, where, minimum, maximum \
    }
#define FLAG_LATER(name, help) \
    { \
        name, 0, ARG_LATER, NULL, help, 0, 0, 0 \
    }

#define FLAG_ALGORITHM(kind, value, help, where) \
    { \
        "algorithm", 'a', kind, value, help, where, 0, 0 \
    }
#define FLAG_JSON(type, member) \
    FLAG_SWITCH("json", "print one JSON document instead of a table", offsetof(type, member))

#define FLAG_MAX_CELLS \
    { \
        "max-cells", 0, ARG_CELLS, "N", "let short files ask for N cells (67108864)", 0, 1, \
            1u << 30 \
    }

struct command;

/* What --max-cells says; 0 = it was not given. */
uint32_t args_max_cells(void);

typedef enum args_result { ARGS_GO, ARGS_HELPED, ARGS_WRONG } args_result;

/* Fills `options`; the arguments that are no flags stay in argv, *argc of them, "-" as the name of
 * standard input. After ARGS_HELPED and ARGS_WRONG everything has been said. */
args_result args_parse(const struct command *self, int *argc, char **argv, void *options);

/* The same for options as lines of text, "NAME VALUE" without dashes; empty lines and those that
 * begin with # say nothing. Only switches, texts and numbers may be given so. The text is changed,
 * and has to stay where it is. False after complaints about `name`, the file. */
bool args_read_lines(const struct command *self, char *text, const char *name, void *options);

/* Writes what differs from zero as such lines. */
void args_write_lines(const struct command *self, const void *options, FILE *out);

/* Fills every value that is as in `unset` with that of `from`. */
void args_fill(const struct command *self, void *options, const void *unset, const void *from);

/* Prints the help of a command. */
void args_help(const struct command *self);

/* Prints "cairn: " and the sentence on standard error. The second form points to the help of the
 * command and returns END_USAGE. After complain_as_json sentences other than notes are kept for
 * complain_end, which has to come last: it prints {"error": …} on standard output if the program
 * ends with 2 or 3 before it has printed a document, otherwise the sentences on standard error. */
void complain(const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 1, 2)))
#endif
    ;
void complain_as_json(void);
void complain_end(int end);
int complain_usage(const struct command *self, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

/* Complains about the number of arguments: "NAME: expected one world, got none (try: cairn NAME
 * maps/village.txt)". Returns END_USAGE. */
int complain_count(const struct command *self, const char *expected, int got, const char *example);

#endif
