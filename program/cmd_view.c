/* cmd_view.c: `cairn view`: the playground, with a world in it, served to this machine or written
 * to a file. */
#define _POSIX_C_SOURCE 200809L
#include "command.h"
#include "files.h"
#include "json.h"
#include "page.h"
#include "serve.h"
#include "text.h"
#include "world.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>

extern char **environ;

typedef struct view_options {
    const char *page, *output;
    uint32_t port;
    bool no_browser, json;
} view_options;

static const arg_flag view_flags[] = {
    FLAG_COUNT("port", "N", "serve on this port (0: any that is free)",
               offsetof(view_options, port), 0, 65535),
    FLAG_SWITCH("no-browser", "do not open a browser", offsetof(view_options, no_browser)),
    {"output", 'o', ARG_OUTPUT, "F.html", "write the page to a file instead of serving it",
     offsetof(view_options, output), 0, 0},
    FLAG_INPUT("page", "F.html", "the page of the playground, if it is not the installed one",
               offsetof(view_options, page)),
    FLAG_MAX_CELLS,
    FLAG_JSON(view_options, json),
};

/* ---- the browser ---- */

#if defined(__APPLE__)
#define VIEW_OPENER "open"
#else
#define VIEW_OPENER "xdg-open"
#endif

/* Starts a browser, silently: with the signals unblocked that the server blocks, and in a process
 * group of its own, so that Ctrl-C in the terminal does not end it. If there is none, the address
 * has been printed. */
static void view_start_browser(const char *url)
{
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_t actions;
    if (posix_spawnattr_init(&attributes)) return;
    if (posix_spawn_file_actions_init(&actions)) {
        posix_spawnattr_destroy(&attributes);
        return;
    }
    sigset_t none, ignored;
    sigemptyset(&none);
    sigemptyset(&ignored);
    sigaddset(&ignored, SIGPIPE);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &ignored);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF |
                                              POSIX_SPAWN_SETPGROUP);
    for (int stream = 0; stream < 3; stream++)
        posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_RDWR, 0);
    char opener[] = VIEW_OPENER, address[128];
    snprintf(address, sizeof address, "%s", url);
    char *arguments[] = {opener, address, NULL};
    pid_t child;
    posix_spawnp(&child, opener, &actions, &attributes, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
}

/* ---- telling ---- */

static void view_print_json(const char *key, const char *value, const world *w)
{
    json j = json_to(stdout);
    json_object(&j, NULL);
    json_text(&j, key, value);
    json_text(&j, "world", w ? w->name : NULL);
    json_end(&j);
}

static void view_print_url(const char *url, const world *w)
{
    say("The playground%s%s is at %s\nCtrl-C ends it.\n", w ? " with " : "",
        w ? text_base(w->name) : "", url);
}

static void view_print_file(const char *file, const page *p, const world *w)
{
    char text[TEXT_SHORT];
    say("%s: the playground%s%s, %s\n", file, w ? " with " : "", w ? text_base(w->name) : "",
        text_bytes(p->size, text));
}

/* ---- the command ---- */

static int view_save(const view_options *options, const page *p, const world *w)
{
    int end = files_put(options->output, (cairn_file){p->data, p->size});
    if (end) return end;
    if (options->json)
        view_print_json("file", options->output, w);
    else
        view_print_file(options->output, p, w);
    return END_OK;
}

static int view_serve(const view_options *options, const page *p, const world *w)
{
    const serve_page served = {p->data, p->size, p->policy};
    server *s = serve_begin(&served, options->port);
    if (!s) return END_DATA;
    const char *url = serve_url(s);
    if (options->json)
        view_print_json("url", url, w);
    else
        view_print_url(url, w);
    fflush(stdout); /* whoever reads it is waiting */
    if (text_terminal(stdout) && !options->no_browser && !options->json) view_start_browser(url);
    serve_until_told(s);
    return END_OK;
}

static int view_load(world *w, cairn_context *context, const char *name)
{
    int end = world_load(w, context, name);
    if (end || w->grid) return end;
    complain("%s: expected a grid for the playground, but this is a %s", name,
             world_kind_of(w)->name);
    return END_DATA;
}

static int view_run(const view_options *options, cairn_context *context, const char *name)
{
    world w = {0};
    page p = {0};
    int end = name ? view_load(&w, context, name) : END_OK;
    const world *shown = name ? &w : NULL;
    if (!end) end = page_make(&p, context, options->page, shown);
    if (!end)
        end = options->output ? view_save(options, &p, shown) : view_serve(options, &p, shown);
    page_free(&p);
    world_close(&w);
    return end;
}

static int view_main(const command *self, int argc, char **argv)
{
    view_options options = {0};
    args_result parsed = args_parse(self, &argc, argv, &options);
    if (parsed != ARGS_GO) return parsed == ARGS_HELPED ? END_OK : END_USAGE;
    if (argc > 1) return complain_count(self, "at most one world", argc, "maps/village.txt");
    const char *name = argc ? argv[0] : NULL;
    const file_use files[] = {
        {"world", name, false}, {"--page", options.page, false}, {"-o", options.output, true}};
    int end = files_check(self, files, 3);
    if (end) return end;
    if (!options.output && !serve_possible())
        return complain_usage(
            self, "this program was built without libmicrohttpd and cannot serve: write the page "
                  "to a file with -o, and open that");
    cairn_context *context = world_context(1);
    if (!context) return END_DATA;
    end = view_run(&options, context, name);
    cairn_context_destroy(context);
    return end;
}

const command command_view = {
    .name = "view",
    .summary = "Show a world in the playground, in a browser",
    .synopsis = "[WORLD] [options]",
    .details = "WORLD is a map (MovingAI, text, PNG, Tiled, .cairn); if a .cairn file holds an "
               "agent, a query and\n"
               "an algorithm, they go into the page too. It is served to this machine alone, until "
               "Ctrl-C; on a\n"
               "terminal a browser is opened. With -o it becomes one file that holds everything, "
               "to open anywhere\n"
               "or to send to somebody.\n"
               "\n"
               "Examples:\n"
               "  cairn view\n"
               "  cairn view maps/village.txt\n"
               "  cairn view maps/rooms.map --port 8080 --no-browser\n"
               "  cairn view maps/village.txt -o village.html\n",
    .flags = view_flags,
    .flag_count = sizeof view_flags / sizeof view_flags[0],
    .run = view_main,
};
