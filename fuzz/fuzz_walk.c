/* fuzz_walk.c: any bytes as a walk script that is run, not only read. The first byte chooses who
 * walks and how. What cannot be run must say why; an agent makes only steps that are legal at that
 * moment, and comes to an end.
 */
#include <cairn/io.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_CELLS = 4096, MOST_TURNS = 4000 };

static void require(bool condition)
{
    if (!condition) abort();
}

static const char own_map[] = "........\n.####.#.\n.#..#.#.\n.#.##.#.\n......#.\n........\n";

/* A script may ask for more than there is time for; other files are not ours to read. */
static bool is_small(const cairn_script *s)
{
    if (s->map == CAIRN_SCRIPT_MAP_FILE) return false;
    return s->map != CAIRN_SCRIPT_MAP_GENERATED ||
           (uint64_t)s->generator.width * s->generator.height <= MOST_CELLS;
}

static cairn_grid *make_grid(cairn_context *context, const cairn_script *s)
{
    cairn_grid *grid = NULL;
    cairn_error error = {0};
    cairn_status status =
        s->map == CAIRN_SCRIPT_MAP_NONE
            ? cairn_grid_from_text(context, own_map, sizeof own_map - 1, &grid, &error)
            : cairn_script_grid(context, s, NULL, &grid, &error);
    require(status == CAIRN_OK ? grid != NULL : error.status == status && error.text[0]);
    return grid;
}

/* Everything that a walk needs; false if it cannot begin. */
typedef struct stroll {
    cairn_grid *grid;
    cairn_space *space;
    cairn_planner *planner;
    cairn_navigator *navigator;
} stroll;

static bool stroll_begin(stroll *w, const cairn_script *s, uint8_t how)
{
    static const char *const specs[] = {"astar", "hpa:size=5", "mm",  "pra",
                                        "sga",   "theta",      "jps", "jps-plus"};
    static const cairn_navigator_options ways[] = {{0},
                                                   {.replan = CAIRN_REPLAN_CHANGED},
                                                   {.work = 9},
                                                   {.work = 30, .piece = 4, .start_within = 2}};
    cairn_profile profile = cairn_script_profile(s, w->grid);
    cairn_error error = {0};
    cairn_status status = cairn_space_of_grid(w->grid, &profile, &w->space, &error);
    if (!status) status = cairn_planner_create(w->space, specs[how % 8], &w->planner, &error);
    if (!status) status = cairn_navigator_create(w->planner, &ways[how / 8 % 4], &w->navigator);
    if (!status)
        status = cairn_navigator_start(w->navigator, cairn_grid_node(w->grid, s->from.x, s->from.y),
                                       cairn_grid_node(w->grid, s->to.x, s->to.y));
    require(status == CAIRN_OK || status == CAIRN_OUT_OF_BOUNDS || error.text[0]);
    return status == CAIRN_OK;
}

static void stroll_end(stroll *w)
{
    cairn_navigator_destroy(w->navigator);
    cairn_planner_destroy(w->planner);
    cairn_space_destroy(w->space);
    cairn_grid_destroy(w->grid);
}

static void check_move(const stroll *w, const cairn_move *m)
{
    bool sized =
        cairn_space_profile(w->space)->radius > 0 || cairn_space_profile(w->space)->footprint > 1;
    bool step = m->kind == CAIRN_MOVE_STEP && !m->escaped && !sized;
    require(!step || cairn_space_step_cost(w->space, m->from, m->to) == m->cost);
    require(m->kind == CAIRN_MOVE_STEP || m->from == m->to);
    require(m->to == cairn_navigator_at(w->navigator));
}

static void run(stroll *w, const cairn_script *s)
{
    cairn_script_walk walk = {.script = s, .grid = w->grid, .navigator = w->navigator};
    for (uint32_t turn = 0; turn < MOST_TURNS && !walk.over; turn++) {
        cairn_move move;
        cairn_error error = {0};
        uint64_t before = walk.step;
        cairn_status status = cairn_script_turn(&walk, &move, &error);
        require(status == CAIRN_OK || (error.status == status && error.text[0]));
        if (status != CAIRN_OK) return;
        require(walk.step >= before && walk.next <= s->change_count);
        check_move(w, &move);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!size) return 0;
    cairn_context_options limits = cairn_context_defaults();
    limits.byte_limit = 64u << 20;
    cairn_context *context = NULL;
    require(cairn_context_create(&limits, &context) == CAIRN_OK);
    size_t empty = cairn_context_memory(context).bytes;
    cairn_script script;
    stroll w = {0};
    cairn_bytes text = {(const char *)data + 1, size - 1};
    if (cairn_script_parse(context, text, &script, NULL) == CAIRN_OK && is_small(&script)) {
        w.grid = make_grid(context, &script);
        if (w.grid && stroll_begin(&w, &script, data[0])) run(&w, &script);
    }
    stroll_end(&w);
    cairn_script_free(context, &script);
    require(cairn_context_memory(context).bytes == empty);
    cairn_context_destroy(context);
    return 0;
}
