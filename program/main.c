/* main.c: the program `cairn`: finds the command and runs it. */
#include "command.h"
#include "files.h"
#include "text.h"

#include <cairn/cairn.h>
#include <string.h>

/* In the order of the help. */
static const command *const commands[] = {
    &command_path,     &command_bench,     &command_check, &command_explain,    &command_info,
    &command_convert,  &command_generate,  &command_build, &command_algorithms, &command_advise,
    &command_simulate, &command_reproduce, &command_view,
};
enum { COMMANDS = sizeof commands / sizeof commands[0] };

static const command *main_find(const char *name)
{
    for (uint32_t i = 0; i < COMMANDS; i++)
        if (!strcmp(commands[i]->name, name)) return commands[i];
    return NULL;
}

static void main_help(FILE *out)
{
    fprintf(out,
            "cairn %s: pathfinding for games\n\nUsage: cairn COMMAND … [--json]\n\nCommands:\n",
            cairn_version());
    for (uint32_t i = 0; i < COMMANDS; i++)
        fprintf(out, "  %-12s %s\n", commands[i]->name, commands[i]->summary);
    fprintf(out, "  %-12s %s\n", "help", "Print this, or the help of a command");
    fprintf(out,
            "\n`cairn COMMAND --help` describes a command, with examples. Try:\n"
            "  cairn path maps/village.txt --from 9,5 --to 50,22 --draw\n"
            "\nFiles: - is standard input, or standard output; then what is printed goes to "
            "standard error.\n"
            "With --json standard output is one JSON document, on wrong usage and bad data\n"
            "{\"error\": TEXT, \"status\": TEXT, \"exit_code\": N}.\n"
            "\nExits with 0 on success, 1 on no path or a failed check, 2 on wrong usage, 3 on "
            "bad data,\n130 on Ctrl-C.\n");
}

static int main_unknown(const char *name)
{
    const char *near = text_nearer(name, NULL, "help");
    for (uint32_t i = 0; i < COMMANDS; i++) near = text_nearer(name, near, commands[i]->name);
    if (near)
        complain("there is no command \"%s\"; did you mean %s?", name, near);
    else
        complain("there is no command \"%s\" (`cairn help` lists them)", name);
    return END_USAGE;
}

static int main_run(int argc, char **argv)
{
    if (argc < 2) {
        main_help(stderr);
        return END_USAGE;
    }
    const char *name = argv[1];
    if (!strcmp(name, "--version")) {
        printf("cairn %s\n", cairn_version());
        return END_OK;
    }
    if (!strcmp(name, "help") || !strcmp(name, "--help") || !strcmp(name, "-h")) {
        bool self = argc > 2 && (!strcmp(argv[2], "help") || argv[2][0] == '-');
        const command *about = argc > 2 && !self ? main_find(argv[2]) : NULL;
        if (argc > 2 && !self && !about) return main_unknown(argv[2]);
        if (about)
            args_help(about);
        else
            main_help(stdout);
        return END_OK;
    }
    const command *found = main_find(name);
    return found ? found->run(found, argc - 2, argv + 2) : main_unknown(name);
}

static bool main_wants_json(int argc, char **argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--"); i++)
        if (!strcmp(argv[i], "--json")) return true;
    return false;
}

int main(int argc, char **argv)
{
    if (main_wants_json(argc, argv)) complain_as_json();
    int end = main_run(argc, argv);
    complain_end(end);
    if (!files_end() && end == END_OK) end = END_DATA;
    return end;
}
