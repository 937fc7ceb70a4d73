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
    require(p->width >= 1 && p->width <= CAIRN_GRID_MAX && p->height >= 1 && p->height <= CAIRN_GRID_MAX);
    int32_t width = (int32_t)p->width, height = (int32_t)p->height;
    require(p->from.x >= 0 && p->from.x < width && p->from.y >= 0 && p->from.y < height);
    require(p->to.x >= 0 && p->to.x < width && p->to.y >= 0 && p->to.y < height);
    require(isfinite(p->length) && p->length >= 0);
    require(isfinite(p->tolerance) && p->tolerance >= 0.001);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    cairn_context *context = NULL;
    require(cairn_context_create(NULL, &context) == CAIRN_OK);
    cairn_scenario scenario;
    cairn_error error = {0};
    cairn_status status = cairn_scenario_parse(context, (const char *)data, size, &scenario, &error);
    if (status == CAIRN_OK) {
        for (uint32_t i = 0; i < scenario.count; i++) check_problem(&scenario.problems[i]);
        require(memchr(scenario.map, 0, sizeof scenario.map) != NULL && !strchr(scenario.map, '/'));
    } else {
        require(!scenario.problems && !scenario.count && error.status == status && error.text[0]);
        require(memchr(error.text, 0, sizeof error.text) != NULL);
        require(status != CAIRN_BAD_DATA || (error.line >= 1 && error.line <= size + 1));
    }
    cairn_scenario_free(context, &scenario);
    cairn_context_destroy(context);
    return 0;
}
