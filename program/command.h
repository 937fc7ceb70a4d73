/* command.h: what a command of the program is, how the program ends, how it complains. */
#ifndef PROGRAM_COMMAND_H
#define PROGRAM_COMMAND_H

#include "args.h"

/* The exit codes others script against. */
enum {
    END_OK = 0,
    END_NO = 1,           /* no path, or a check failed */
    END_USAGE = 2,        /* the command line makes no sense */
    END_DATA = 3,         /* a file cannot be read or does not say what it must */
    END_INTERRUPTED = 130 /* by Ctrl-C, as shells count */
};

typedef struct command {
    const char *name;
    const char *summary;  /* one line, for the list of commands */
    const char *synopsis; /* what follows "cairn NAME" */
    const char *details;  /* prose and examples, below the options */
    const arg_flag *flags;
    uint32_t flag_count;
    int output; /* which argument that is no flag is a file to write, from 1; 0 = none */
    int (*run)(const struct command *self, int argc, char **argv);
} command;

extern const command command_advise, command_algorithms, command_bench, command_build,
    command_check, command_convert;
extern const command command_explain, command_generate, command_info, command_path,
    command_reproduce;
extern const command command_simulate, command_view;

#endif
