/* settings.c: what `cairn advise --save` recommends, made into a planner and a path service. Its
 * file has an option a line; a game reads it once, when it loads the map. Without an argument this
 * program reads the text below.
 */
#include <cairn/cairn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* cairn advise maps/village.txt --preset console --footprint 2 --save village.scenario */
static const char village[] =
    "# What `cairn advise` recommends for village.txt. Try it:\n"
    "#     cairn simulate MAP --scenario FILE\n"
    "algorithm jps-plus\nservice\nagents 50\ngoals 1000\nturns 1800\nfps 30\nspeed 8\n"
    "budget 2000\nshortcuts never\nprocessor-time\nmemory 2048\nsearches 4\n"
    "search-memory 256\nfootprint 2\n";

static const char map[] = "................\n"
                          ".......##.......\n"
                          ".......##.......\n"
                          ".......##.......\n"
                          "................\n"
                          "................\n";

/* What a game needs of it: for the planner, the service, each frame and each path. */
typedef struct settings {
    char algorithm[64];
    cairn_profile profile;
    cairn_service_options service;
    cairn_service_share share;
    double microseconds;
    cairn_shortcuts shortcuts;
    uint32_t piece; /* 0 = whole paths */
} settings;

/* What only `cairn simulate` needs: how many agents there are, what they do, what is edited. */
static bool is_of_simulation(const char *name)
{
    static const char *const names[] = {
        "service",   "agents",     "goals",          "turns",     "fps",        "speed", "edits",
        "edit-size", "edit-ahead", "processor-time", "edit-life", "edit-share", NULL};
    for (int i = 0; names[i]; i++)
        if (!strcmp(name, names[i])) return true;
    return false;
}

/* Options of the profile that your game has for its units anyway need not be read here. */
static bool set_option(settings *s, const char *name, const char *value)
{
    static const char *const when[CAIRN_SHORTCUTS_COUNT] = {"never", "possible", "always"};
    unsigned long number = strtoul(value, NULL, 10);
    if (!strcmp(name, "algorithm")) {
        snprintf(s->algorithm, sizeof s->algorithm, "%s", value);
    } else if (!strcmp(name, "memory")) {
        s->service.byte_limit = number * 1024;
    } else if (!strcmp(name, "searches")) {
        s->share.searches = (uint32_t)number;
    } else if (!strcmp(name, "search-memory")) {
        s->share.search_bytes = number * 1024;
    } else if (!strcmp(name, "budget")) {
        s->microseconds = (double)number;
    } else if (!strcmp(name, "piece")) {
        s->piece = (uint32_t)number;
    } else if (!strcmp(name, "shortcuts")) {
        for (int i = 0; i < CAIRN_SHORTCUTS_COUNT; i++)
            if (!strcmp(value, when[i])) s->shortcuts = (cairn_shortcuts)i;
    } else if (!strcmp(name, "footprint")) {
        s->profile.footprint = (uint32_t)number;
    } else {
        return is_of_simulation(name);
    }
    return true;
}

static bool read_settings(const char *text, settings *s)
{
    *s = (settings){.profile = cairn_profile_default(),
                    .share.background = CAIRN_SHARE_NEVER}; /* as in `cairn simulate --budget` */
    for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        char name[32] = "", value[64] = "";
        if (*line == '#' || *line == '\n') continue;
        char one[128];
        snprintf(one, sizeof one, "%.*s", (int)strcspn(line, "\n"), line);
        if (sscanf(one, "%31s %63s", name, value) < 1 || set_option(s, name, value)) continue;
        printf("the option \"%s\" is not known here\n", name);
        return false;
    }
    return s->algorithm[0];
}

/* A clock for the budget: any that counts microseconds. */
static double now(void *user)
{
    struct timespec time;
    (void)user;
    timespec_get(&time, TIME_UTC);
    return (double)time.tv_sec * 1e6 + (double)time.tv_nsec / 1e3;
}

static void walk(cairn_service *service, const settings *s, uint32_t kind, const cairn_grid *grid)
{
    const cairn_path *path;
    cairn_ticket ticket;
    cairn_request request = {.planner = kind,
                             .from = cairn_grid_node(grid, 0, 0),
                             .to = cairn_grid_node(grid, 14, 1),
                             .piece = s->piece};
    cairn_service_request(service, &request, &ticket);
    while (cairn_service_answer(service, ticket, &path) == CAIRN_RUNNING) {
        cairn_frame frame = {.microseconds = s->microseconds, .clock = now}; /* once a frame */
        cairn_service_update(service, &frame);
    }
    printf("%s, length %.1f, by %s\n", cairn_result_text(path->status), path->length,
           path->answered_by->name);
    cairn_service_follow(service, ticket, s->shortcuts); /* if the world changes */
}

static int play(const char *text)
{
    settings s;
    cairn_context *context;
    cairn_grid *grid;
    cairn_space *space;
    cairn_planner *planner;
    cairn_service *service;
    cairn_error error;
    uint32_t kind;
    if (!read_settings(text, &s)) return 1;
    cairn_context_create(NULL, &context);
    cairn_grid_from_text(context, map, strlen(map), &grid, NULL);

    cairn_space_of_grid(grid, &s.profile, &space, NULL);
    if (cairn_planner_create(space, s.algorithm, &planner, &error) != CAIRN_OK ||
        cairn_planner_build(planner, NULL, &error) != CAIRN_OK) {
        printf("%s: %s\n", s.algorithm, error.text);
        return 1;
    }
    cairn_service_create(context, &s.service, &service);
    cairn_service_add(service, planner, &s.share, &kind);

    printf("%u searches at a time with %u KB each, %u KB in all, %.1f ms a frame\n",
           (unsigned)s.share.searches, (unsigned)(s.share.search_bytes / 1024),
           (unsigned)(s.service.byte_limit / 1024), s.microseconds / 1000);
    walk(service, &s, kind, grid);

    cairn_service_destroy(service);
    cairn_planner_destroy(planner);
    cairn_space_destroy(space);
    cairn_grid_destroy(grid);
    cairn_context_destroy(context);
    return 0;
}

int main(int argc, char **argv)
{
    static char text[4096];
    FILE *file = argc > 1 ? fopen(argv[1], "r") : NULL;
    if (!file) return play(village);
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    return play(text);
}

/* Output:
 * 4 searches at a time with 256 KB each, 2048 KB in all, 2.0 ms a frame
 * found, length 16.9, by jps-plus
 */
