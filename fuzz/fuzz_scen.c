/* fuzz_scen.c: any bytes as a MovingAI scenario. What is refused must say where and why;
 * every problem that is accepted must keep the promises of io.h.
 */
#include <cairn/io.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition)
{
    if (!condition) abort();
}

static void check_problem(const cairn_problem *p)
{
    require(p->width >= 1 && p->width <= CAIRN_GRID_MAX && p->height >= 1 &&
            p->height <= CAIRN_GRID_MAX);
    int32_t width = (int32_t)p->width, height = (int32_t)p->height;
    require(p->from.x >= 0 && p->from.x < width && p->from.y >= 0 && p->from.y < height);
    require(p->to.x >= 0 && p->to.x < width && p->to.y >= 0 && p->to.y < height);
    require(isfinite(p->length) && p->length >= 0);
    require(isfinite(p->tolerance) && p->tolerance >= 0.001);
}

/* What was read and is written reads back the same. */
static void check_writing(cairn_context *context, const cairn_scenario *scenario)
{
    cairn_file text;
    cairn_scenario again;
    cairn_status status = cairn_scenario_format(context, scenario, &text, NULL);
    if (scenario->count && (!scenario->map[0] || strpbrk(scenario->map, " \t\r\n"))) {
        require(status == CAIRN_INVALID);
        return;
    }
    require(status == CAIRN_OK);
    require(cairn_scenario_parse(context, (cairn_bytes){text.data, text.size}, &again, NULL) ==
            CAIRN_OK);
    require(again.count == scenario->count && !strcmp(again.map, scenario->map));
    for (uint32_t i = 0; i < again.count; i++) {
        const cairn_problem *p = &scenario->problems[i], *q = &again.problems[i];
        require(p->bucket == q->bucket && p->width == q->width && p->height == q->height);
        require(p->from.x == q->from.x && p->from.y == q->from.y && p->to.x == q->to.x &&
                p->to.y == q->to.y);
        require(fabs(p->length - q->length) <= 5.1e-9 + p->length * 1e-15);
    }
    cairn_scenario_free(context, &again);
    cairn_file_free(context, &text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    cairn_context *context = NULL;
    require(cairn_context_create(NULL, &context) == CAIRN_OK);
    cairn_scenario scenario;
    cairn_error error = {0};
    cairn_status status =
        cairn_scenario_parse(context, (cairn_bytes){(const char *)data, size}, &scenario, &error);
    if (status == CAIRN_OK) {
        for (uint32_t i = 0; i < scenario.count; i++) check_problem(&scenario.problems[i]);
        require(memchr(scenario.map, 0, sizeof scenario.map) != NULL && !strchr(scenario.map, '/'));
        check_writing(context, &scenario);
    } else {
        require(!scenario.problems && !scenario.count && error.status == status && error.text[0]);
        require(memchr(error.text, 0, sizeof error.text) != NULL);
        require(status != CAIRN_BAD_DATA || (error.line >= 1 && error.line <= size + 1));
    }
    cairn_scenario_free(context, &scenario);
    cairn_context_destroy(context);
    return 0;
}
