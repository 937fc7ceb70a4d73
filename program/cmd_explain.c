/* cmd_explain.c: `cairn explain`: why a cell can or cannot be stood on, and whether another one can
 * be reached. */
#include "command.h"
#include "json.h"
#include "profile.h"
#include "text.h"
#include "world.h"

#include <math.h>
#include <string.h>

typedef struct explain_options {
    const char *to;
    profile_options profile;
    bool json;
} explain_options;

static const arg_flag explain_flags[] = {
    FLAG_TEXT("to", "X,Y", "say also whether this cell can be reached",
              offsetof(explain_options, to)),
    PROFILE_FLAGS(explain_options, profile),
    FLAG_MAX_CELLS,
    FLAG_JSON(explain_options, json),
};

static const char *const explain_reaches[] = {
    [CAIRN_REACH_NO] = "no", [CAIRN_REACH_YES] = "yes", [CAIRN_REACH_MAYBE] = "maybe"};

typedef struct explain_place {
    cairn_cell cell;
    cairn_node node; /* CAIRN_NO_NODE outside the map */
    cairn_explanation why;
} explain_place;

/* Whether the other cell can be reached, and if not what could be. */
typedef struct explain_answer {
    bool asked;
    explain_place to;
    cairn_reach reach;
    cairn_node nearest; /* CAIRN_NO_NODE: nothing */
    char text[480];
} explain_answer;

static int explain_parse_place(const command *self, const world *w, const char *text,
                               explain_place *out)
{
    if (!text_pair(text, &out->cell.x, &out->cell.y))
        return complain_usage(self, "expected a cell X,Y, got \"%s\"", text);
    out->node = cairn_grid_node(w->grid, out->cell.x, out->cell.y);
    cairn_explain(w->space, out->cell.x, out->cell.y, &out->why);
    return END_OK;
}

/* ---- from one cell to the other ---- */

/* Would there be a path for an agent of a single cell? */
static bool explain_is_too_narrow(const world *w, cairn_node from, cairn_node to)
{
    cairn_profile profile = *cairn_space_profile(w->space);
    if (!profile_is_sized(&profile)) return false;
    profile.radius = 0;
    profile.footprint = 0;
    cairn_space *space = NULL;
    if (cairn_space_of_grid(w->grid, &profile, &space, NULL)) return false;
    bool narrow = cairn_reachable(space, from, to) != CAIRN_REACH_NO;
    cairn_space_destroy(space);
    return narrow;
}

static void explain_say_answer(const world *w, const explain_place *from, explain_answer *answer)
{
    const cairn_cell to = answer->to.cell;
    if (answer->reach == CAIRN_REACH_YES)
        snprintf(answer->text, sizeof answer->text, "(%d,%d) can be reached from there.", (int)to.x,
                 (int)to.y);
    else if (answer->reach == CAIRN_REACH_MAYBE)
        snprintf(answer->text, sizeof answer->text,
                 "(%d,%d) may be reachable: some steps cannot be reversed, so only a search "
                 "can tell.",
                 (int)to.x, (int)to.y);
    else if (from->why.reason)
        snprintf(answer->text, sizeof answer->text, "Nothing can be reached from there.");
    else if (answer->to.why.reason)
        snprintf(answer->text, sizeof answer->text, "It cannot be reached: %s",
                 answer->to.why.text);
    else if (explain_is_too_narrow(w, from->node, answer->to.node))
        snprintf(answer->text, sizeof answer->text,
                 "(%d,%d) cannot be reached: every path is too narrow for this agent, but not for "
                 "one of a "
                 "single cell.",
                 (int)to.x, (int)to.y);
    else
        snprintf(answer->text, sizeof answer->text,
                 "(%d,%d) cannot be reached: no path leads there.", (int)to.x, (int)to.y);
}

static void explain_find_answer(const world *w, const explain_place *from, explain_answer *answer)
{
    answer->nearest = CAIRN_NO_NODE;
    answer->reach = from->why.reason || answer->to.why.reason
                        ? CAIRN_REACH_NO
                        : cairn_reachable(w->space, from->node, answer->to.node);
    bool wanted =
        answer->reach == CAIRN_REACH_NO && !from->why.reason && answer->to.node != CAIRN_NO_NODE;
    if (wanted && cairn_nearest_reachable(w->space, from->node, answer->to.node, &answer->nearest))
        answer->nearest = CAIRN_NO_NODE;
    explain_say_answer(w, from, answer);
}

/* ---- the drawing ---- */

enum { EXPLAIN_MARKS = 5 };
static const struct {
    char mark;
    const char *meaning;
} explain_marks[EXPLAIN_MARKS] = {{'.', "can be stood on"},
                                  {'o', "too narrow"},
                                  {'x', "forbidden terrain"},
                                  {'#', "blocked"},
                                  {'~', "outside"}};

static uint32_t explain_mark_of(const world *w, int32_t x, int32_t y)
{
    const cairn_profile *profile = cairn_space_profile(w->space);
    if (!cairn_grid_inside(w->grid, x, y)) return 4;
    if (!cairn_grid_is_open(w->grid, x, y)) return 3;
    if (!profile->terrain_cost[cairn_grid_terrain(w->grid, x, y)]) return 2;
    return cairn_space_usable(w->space, cairn_grid_node(w->grid, x, y)) ? 0 : 1;
}

/* Draws the cell, in brackets, and its surroundings: as far as its size reaches and a little
 * farther. */
static void explain_draw(const world *w, const explain_place *place)
{
    const cairn_profile *profile = cairn_space_profile(w->space);
    double reach = profile->footprint > 1 ? profile->footprint - 1 : ceil(profile->radius);
    int32_t half = 3 + (int32_t)fmin(reach, 12);
    bool hex = cairn_grid_layout(w->grid) == CAIRN_LAYOUT_HEX, used[EXPLAIN_MARKS] = {0};
    cairn_cell centre = place->cell;
    printf("\n");
    for (int32_t y = centre.y - half; y <= centre.y + half; y++) {
        printf("  %s", hex && y & 1 ? " " : "");
        for (int32_t x = centre.x - half; x <= centre.x + half; x++) {
            bool here = y == centre.y && x == centre.x, after = y == centre.y && x == centre.x + 1;
            uint32_t mark = explain_mark_of(w, x, y);
            used[mark] = true;
            printf("%c%c", here ? '[' : after ? ']' : ' ', explain_marks[mark].mark);
        }
        printf("\n");
    }
    printf("\n");
    for (uint32_t i = 0; i < EXPLAIN_MARKS; i++)
        if (used[i]) printf("   %c %s", explain_marks[i].mark, explain_marks[i].meaning);
    printf("\n");
}

/* ---- telling ---- */

static void explain_print(const world *w, const explain_place *place, const explain_answer *answer)
{
    printf("%s\n", place->why.text);
    if (answer->asked) say("%s\n", answer->text);
    if (answer->asked && answer->nearest != CAIRN_NO_NODE) {
        cairn_cell nearest = cairn_grid_cell(w->grid, answer->nearest);
        printf("The nearest cell that can be reached is (%d,%d).\n", (int)nearest.x,
               (int)nearest.y);
    }
    if (place->node == CAIRN_NO_NODE) return;
    explain_draw(w, place);
    printf("\n");
    for (uint32_t i = 0; i < 8; i++)
        if (place->why.steps[i] != CAIRN_REASON_NO_STEP)
            printf("  %-10s  %s\n", cairn_step_name(w->space, place->cell.y, i),
                   cairn_reason_text(place->why.steps[i]));
}

static void explain_json_cell(json *j, const char *key, const world *w, cairn_node node)
{
    if (node == CAIRN_NO_NODE) {
        json_null(j, key);
        return;
    }
    cairn_cell cell = cairn_grid_cell(w->grid, node);
    json_array(j, key);
    json_integer(j, NULL, cell.x);
    json_integer(j, NULL, cell.y);
    json_end(j);
}

static void explain_json_place(json *j, const world *w, const explain_place *place)
{
    json_integer(j, "x", place->cell.x);
    json_integer(j, "y", place->cell.y);
    json_bool(j, "usable", place->why.reason == CAIRN_REASON_NONE);
    json_text(j, "reason", cairn_reason_text(place->why.reason));
    json_integer(j, "terrain", place->why.terrain);
    json_number(j, "clearance", place->why.clearance);
    explain_json_cell(j, "obstacle", w, place->why.obstacle);
}

static void explain_print_json(const world *w, const explain_place *place,
                               const explain_answer *answer)
{
    json j = json_to(stdout);
    json_object(&j, NULL);
    explain_json_place(&j, w, place);
    json_object(&j, "steps");
    for (uint32_t i = 0; i < 8; i++) {
        const char *name = cairn_step_name(w->space, place->cell.y, i);
        if (name) json_text(&j, name, cairn_reason_text(place->why.steps[i]));
    }
    json_end(&j);
    json_text(&j, "text", place->why.text);
    if (answer->asked) {
        json_object(&j, "to");
        explain_json_place(&j, w, &answer->to);
        json_text(&j, "reachable", explain_reaches[answer->reach]);
        explain_json_cell(&j, "nearest", w, answer->nearest);
        json_text(&j, "text", answer->text);
        json_end(&j);
    } else {
        json_null(&j, "to");
    }
    json_end(&j);
}

/* ---- the command ---- */

static int explain_run(const command *self, const explain_options *options, const world *w,
                       const char *cell)
{
    if (!w->grid)
        return complain_usage(self, "explain: expected a grid, but %s is a %s", w->name,
                              world_kind_of(w)->name);
    explain_place place = {0};
    explain_answer answer = {.asked = options->to != NULL};
    int end = explain_parse_place(self, w, cell, &place);
    if (!end && answer.asked) end = explain_parse_place(self, w, options->to, &answer.to);
    if (end) return end;
    if (answer.asked) explain_find_answer(w, &place, &answer);
    if (options->json)
        explain_print_json(w, &place, &answer);
    else
        explain_print(w, &place, &answer);
    return place.why.reason || (answer.asked && answer.reach == CAIRN_REACH_NO) ? END_NO : END_OK;
}

static int explain_main(const command *self, int argc, char **argv)
{
    explain_options options = {0};
    args_result parsed = args_parse(self, &argc, argv, &options);
    if (parsed != ARGS_GO) return parsed == ARGS_HELPED ? END_OK : END_USAGE;
    if (argc != 2)
        return complain_usage(
            self, "explain: expected a world and a cell (try: cairn explain maps/village.txt 9,5)");
    cairn_context *context = world_context(1);
    if (!context) return END_DATA;
    world w;
    int end = world_open(self, &w, context, argv[0], &options.profile);
    if (!end) end = explain_run(self, &options, &w, argv[1]);
    world_close(&w);
    cairn_context_destroy(context);
    return end;
}

const command command_explain = {
    .name = "explain",
    .summary = "Say why a cell can or cannot be stood on",
    .synopsis = "WORLD X,Y [--to X,Y] [options]",
    .details = "WORLD is a map (MovingAI, text, PNG, Tiled, .cairn). Exits with 0 if the cell can "
               "be stood on (and\n"
               "the other one may be reached), otherwise with 1.\n"
               "\n"
               "Examples:\n"
               "  cairn explain maps/village.txt 9,5 --to 50,22\n"
               "  cairn explain maps/cave.txt 5,4 --radius 1.5\n"
               "  cairn explain maps/cave.txt 5,4 --footprint 2 --json\n",
    .flags = explain_flags,
    .flag_count = sizeof explain_flags / sizeof explain_flags[0],
    .run = explain_main,
};
