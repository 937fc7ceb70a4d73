/* glue_search.c: planners, their indexes and overlays; searches, their answers and traces. */
#include "glue.h"

#include <string.h>

/* ---- planners ---- */

GLUE_EXPORT("glue_planner_create")
cairn_planner *glue_planner_create(cairn_space *space, const char *spec)
{
    glue_begin();
    cairn_planner *planner = NULL;
    return glue_check(cairn_planner_create(space, spec, &planner, &glue.error)) ? NULL : planner;
}

GLUE_EXPORT("glue_planner_destroy") void glue_planner_destroy(cairn_planner *planner)
{
    cairn_planner_destroy(planner);
}

GLUE_EXPORT("glue_planner_name") const char *glue_planner_name(const cairn_planner *planner)
{
    return cairn_planner_algorithm(planner)->name;
}

/* Numbers: optimal, state, bytes of the index. */
GLUE_EXPORT("glue_planner_about") void glue_planner_about(const cairn_planner *planner)
{
    glue.numbers[0] = cairn_planner_optimal(planner);
    glue.numbers[1] = cairn_planner_state(planner);
    glue.numbers[2] = (double)cairn_planner_index_bytes(planner);
}

/* As it is kept: numbers in 256ths, choices as positions. */
GLUE_EXPORT("glue_planner_parameter")
double glue_planner_parameter(const cairn_planner *planner, uint32_t i)
{
    return (double)cairn_planner_parameter(planner, i);
}

GLUE_EXPORT("glue_planner_build")
cairn_status glue_planner_build(cairn_planner *planner, uint32_t progress)
{
    glue_begin();
    return glue_check(cairn_planner_build(planner, glue_progress(progress), &glue.error));
}

GLUE_EXPORT("glue_planner_sync")
cairn_status glue_planner_sync(cairn_planner *planner, uint32_t progress)
{
    glue_begin();
    return glue_check(cairn_planner_sync(planner, glue_progress(progress), &glue.error));
}

/* ---- overlays: items of each kind one after the other, as words ---- */

typedef struct overlay_item {
    float from_x, from_y, to_x, to_y;
    uint32_t node, group, level, cost;
} overlay_item;

static void overlay_collect(void *user, const cairn_overlay_item *item)
{
    glue_bytes *kinds = user;
    overlay_item record = {.from_x = (float)item->from.x,
                           .from_y = (float)item->from.y,
                           .to_x = (float)item->to.x,
                           .to_y = (float)item->to.y,
                           .node = item->node,
                           .group = item->group,
                           .level = item->level,
                           .cost = item->cost};
    glue_put(&kinds[item->kind], &record, sizeof record);
}

/* Output: eight words of 32 bits an item: x, y, x, y (floats), node, group, layer, cost. Numbers:
 * items of each kind. */
GLUE_EXPORT("glue_planner_overlay")
cairn_status glue_planner_overlay(const cairn_planner *planner, uint32_t level)
{
    glue_begin();
    glue_output_begin();
    glue_bytes kinds[CAIRN_OVERLAY_KIND_COUNT] = {{0}};
    cairn_overlay_sink sink = {.item = overlay_collect, .user = kinds};
    cairn_status status = cairn_planner_overlay(planner, level, &sink);
    for (uint32_t i = 0; i < CAIRN_OVERLAY_KIND_COUNT; i++) {
        if (kinds[i].failed) glue.output.failed = true;
        glue_put(&glue.output, kinds[i].data, kinds[i].size);
        glue.numbers[i] = (double)(kinds[i].size / sizeof(overlay_item));
        glue_clear(&kinds[i]);
    }
    return status ? glue_check(status) : glue_output_finish();
}

static void overlay_ignore(void *user, const cairn_overlay_item *item)
{
    (void)user, (void)item;
}

/* Is there anything to show? Algorithms that have nothing say so before they are built. */
GLUE_EXPORT("glue_planner_shows") uint32_t glue_planner_shows(const cairn_planner *planner)
{
    cairn_overlay_sink sink = {.item = overlay_ignore};
    return cairn_planner_overlay(planner, 0, &sink) != CAIRN_UNSUPPORTED;
}

/* ---- searches ---- */

typedef struct glue_search {
    cairn_search *search;
    uint32_t *goals; /* of the query in flight */
    uint32_t goal_count;
    glue_trace trace;
} glue_search;

GLUE_EXPORT("glue_search_trace") glue_trace *glue_search_trace(glue_search *search)
{
    return &search->trace;
}

/* From the next begin on. 0 = not. */
GLUE_EXPORT("glue_search_watch") void glue_search_watch(glue_search *search, double limit)
{
    cairn_trace_sink sink = glue_trace_sink(&search->trace, limit);
    cairn_search_trace(search->search, limit > 0 ? &sink : NULL);
}

GLUE_EXPORT("glue_search_create")
glue_search *glue_search_create(cairn_planner *planner, size_t byte_limit)
{
    glue_begin();
    glue_search *search = glue_resize(NULL, 0, sizeof *search);
    if (!search) return glue_check(CAIRN_OUT_OF_MEMORY), NULL;
    *search = (glue_search){0};
    cairn_search_options options = {.byte_limit = byte_limit};
    cairn_status status = cairn_search_create(planner, &options, &search->search);
    if (!status) return search;
    glue_resize(search, sizeof *search, 0);
    return glue_check(status), NULL;
}

static void search_drop_goals(glue_search *search)
{
    if (search->goals) glue_resize(search->goals, search->goal_count * sizeof *search->goals, 0);
    search->goals = NULL;
    search->goal_count = 0;
}

GLUE_EXPORT("glue_search_destroy") void glue_search_destroy(glue_search *search)
{
    cairn_search_destroy(search->search);
    search_drop_goals(search);
    glue_trace_forget(&search->trace);
    glue_resize(search, sizeof *search, 0);
}

cairn_query glue_query(const double *numbers, const uint32_t *goals, uint32_t goal_count)
{
    return (cairn_query){.from = (cairn_node)numbers[0],
                         .to = (cairn_node)numbers[1],
                         .goals = goals,
                         .goal_count = goal_count,
                         .goal_kind = (cairn_goal_kind)numbers[2],
                         .radius = numbers[3],
                         .max_cost = (cairn_cost)numbers[4],
                         .max_work = (uint64_t)numbers[5],
                         .partial = numbers[6] != 0,
                         .piece = (uint32_t)numbers[7]};
}

/* The query is in the numbers (see glue_query); the goals are copied. Returns the search's
 * status. */
GLUE_EXPORT("glue_search_begin")
uint32_t glue_search_begin(glue_search *search, const uint32_t *goals, uint32_t goal_count)
{
    uint32_t *copy = NULL;
    if (goals) {
        copy = glue_resize(NULL, 0, (goal_count ? goal_count : 1) * sizeof *copy);
        if (!copy) return CAIRN_OUT_OF_MEMORY;
        memcpy(copy, goals, goal_count * sizeof *copy);
    }
    cairn_query query = glue_query(glue.numbers, copy, goal_count);
    glue_trace_forget(&search->trace);
    cairn_status status = cairn_search_begin(search->search, &query);
    search_drop_goals(search); /* those of the query before */
    search->goals = copy;
    search->goal_count = goals && !goal_count ? 1 : goal_count;
    return status;
}

GLUE_EXPORT("glue_search_begin_next") uint32_t glue_search_begin_next(glue_search *search)
{
    return cairn_search_begin_next(search->search);
}

GLUE_EXPORT("glue_search_step") uint32_t glue_search_step(glue_search *search, double work)
{
    return cairn_search_step(search->search, work < 1e18 ? (uint64_t)work : UINT64_MAX);
}

GLUE_EXPORT("glue_search_cancel") void glue_search_cancel(glue_search *search)
{
    cairn_search_cancel(search->search);
}

/* The position of an algorithm in the registry; -1 for none. */
static double search_algorithm(const cairn_algorithm *algorithm)
{
    for (uint32_t i = 0; algorithm && i < cairn_algorithm_count(); i++) {
        if (cairn_algorithm_at(i) == algorithm) return i;
    }
    return -1;
}

static double *search_metrics(const glue_search *search, double *out)
{
    cairn_metrics metrics = cairn_search_metrics(search->search);
    *out++ = (double)metrics.work;
    *out++ = (double)metrics.expanded;
    *out++ = (double)metrics.generated;
    *out++ = (double)metrics.reopened;
    *out++ = (double)metrics.pushes;
    *out++ = (double)metrics.peak_bytes;
    *out++ = (double)metrics.lines;
    *out++ = search_algorithm(metrics.answered_by);
    return out;
}

/* Numbers: work, expanded, generated, reopened, pushes, peak of bytes, lines, algorithm that
 * answered. */
GLUE_EXPORT("glue_search_metrics") void glue_search_metrics(const glue_search *search)
{
    search_metrics(search, glue.numbers);
}

/* FNV-1a over 32-bit words, low byte first. */
static uint64_t search_hash(const cairn_path *path)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (uint32_t i = 0; i < path->count + 2; i++) {
        uint32_t word = i < path->count    ? path->nodes[i]
                        : i == path->count ? path->cost
                                           : (uint32_t)path->status;
        for (uint32_t shift = 0; shift < 32; shift += 8)
            hash = (hash ^ (word >> shift & 255u)) * 0x100000001b3u;
    }
    return hash;
}

uint64_t glue_write_path(const cairn_path *path, double *out)
{
    *out++ = path->status;
    *out++ = path->partial;
    *out++ = path->end;
    *out++ = path->count;
    *out++ = path->cost;
    *out++ = path->length;
    *out++ = path->suboptimality_bound;
    *out++ = (double)path->version;
    *out++ = path->any_angle;
    *out++ = path->link_count;
    *out++ = (double)(uintptr_t)path->nodes;
    glue_output_begin();
    for (uint32_t i = 0; i < path->link_count; i++) {
        uint32_t pair[2] = {path->links[i].at, path->links[i].id};
        glue_put(&glue.output, pair, sizeof pair);
    }
    return search_hash(path);
}

/* Numbers: metrics, then the path. */
GLUE_EXPORT("glue_search_result") uint64_t glue_search_result(glue_search *search)
{
    const cairn_path *path = NULL;
    cairn_search_result(search->search, &path);
    return glue_write_path(path, search_metrics(search, glue.numbers));
}

GLUE_EXPORT("glue_search_cost_to")
uint32_t glue_search_cost_to(const glue_search *search, uint32_t node)
{
    return cairn_search_cost_to(search->search, node);
}

static void search_visit(void *user, cairn_node node, cairn_cost cost)
{
    ((uint32_t *)user)[node] = cost;
}

/* Of all nodes; those that were not reached are left as they are. */
GLUE_EXPORT("glue_search_costs")
cairn_status glue_search_costs(const glue_search *search, uint32_t *out)
{
    glue_begin();
    return glue_check(cairn_search_reached(search->search, search_visit, out));
}
