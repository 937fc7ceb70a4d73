/* walker.c: a navigator as a planner. See walker.h. */
#include "continuous/walker.h"

#define WALKER_NODES (1u << 17) /* of a walk, at most */

typedef struct walker {
    crn_builder builder; /* the walk so far */
    cairn_navigator navigator;
    uint64_t work; /* units */
    bool turning;  /* a turn has begun */
} walker;

/* ---- life ---- */

void crn_walker_close(cairn_search *search)
{
    walker *w = search->scratch;
    if (!w) return;
    w->navigator.functions->close(&w->navigator);
    crn_builder_close(&w->builder);
    crn_scratch_free(&search->memory, w, sizeof *w);
    search->scratch = NULL;
}

void crn_walker_prepare(cairn_search *search, cairn_navigator *navigator)
{
    const cairn_planner *planner = search->planner;
    navigator->planner = search->planner;
    navigator->context = planner->space->context;
    navigator->space = planner->space;
    navigator->functions = planner->algorithm->navigator;
    navigator->options = cairn_navigator_defaults();
    navigator->memory = (crn_scratch){.context = navigator->context, .outer = &search->memory};
    navigator->query = search;
    navigator->at = navigator->goal = CAIRN_NO_NODE;
}

cairn_status crn_walker_open(cairn_search *search)
{
    walker *w = search->scratch = crn_scratch_alloc(&search->memory, sizeof *w);
    if (!w) return CAIRN_OUT_OF_MEMORY;
    memset(w, 0, sizeof *w);
    crn_builder_open(&w->builder, search);
    w->builder.roams = true;
    crn_walker_prepare(search, &w->navigator);
    return w->navigator.functions->open(&w->navigator);
}

/* ---- the walk ---- */

/* Fills in the metrics. Searches inside have counted what they expanded. */
static cairn_status walker_pause(cairn_search *search, cairn_status status)
{
    const walker *w = search->scratch;
    search->metrics.work = w->work;
    search->metrics.peak_bytes =
        sizeof *w + crn_builder_bytes(&w->builder) + w->navigator.sums.peak_bytes;
    return status;
}

/* Links that it walks along were found step by step. */
static cairn_status walker_found(cairn_search *search, bool last)
{
    walker *w = search->scratch;
    w->builder.stage = CRN_BUILDER_READY;
    w->builder.checked = (uint32_t)w->builder.count;
    return crn_builder_found(search, last);
}

cairn_status crn_walker_begin(cairn_search *search)
{
    walker *w = search->scratch;
    cairn_node from = search->query.from, to = search->goals[0];
    w->work = 0;
    w->turning = false;
    w->navigator.memory.failed = false;
    crn_search_announce(search, 0);
    cairn_status status = crn_builder_begin(&w->builder, from);
    if (status == CAIRN_OK) status = cairn_navigator_start(&w->navigator, from, to);
    if (status != CAIRN_OK) return status;
    search->metrics.generated = from == to;
    return walker_pause(search, from == to ? walker_found(search, true) : CAIRN_RUNNING);
}

static void walker_charge(walker *w, uint64_t *work, uint64_t used)
{
    w->work += used;
    *work -= used;
}

static bool walker_may_be_trapped(const walker *w)
{
    return w->navigator.planner->algorithm->info.flags & CAIRN_MAY_BE_TRAPPED;
}

/* May a piece end here? While the goal may be out of reach, only if a partial path will do, and if
 * this walk cannot lead to where no path is left. */
static bool walker_may_stop(const cairn_search *search)
{
    const walker *w = search->scratch;
    return !w->navigator.unsure || (search->query.partial && !walker_may_be_trapped(w));
}

/* One call of the navigator. A turn is a unit of work, beside what the navigator does in it: that
 * may take several calls, and the last of them may need no work. */
static cairn_status walker_move(cairn_search *search, uint64_t *work)
{
    walker *w = search->scratch;
    if (!w->turning) walker_charge(w, work, 1);
    cairn_move move = crn_navigator_move(&w->navigator, *work);
    walker_charge(w, work, move.work);
    w->turning = move.status == CAIRN_RUNNING && !w->navigator.waits;
    cairn_status status = move.status;
    if (status == CAIRN_OK) {
        w->builder.follows |= move.linked;
        status = crn_builder_put(&w->builder, move.to, move.cost);
    }
    if (status != CAIRN_OK) return status;
    if (move.arrived) return walker_found(search, true);
    bool ready = walker_may_stop(search) && crn_builder_suffices(&w->builder);
    return ready ? walker_found(search, false) : CAIRN_RUNNING;
}

/* The walk costs more than fits into 32 bits, but there may be a path that does not. Or it is so
 * long that making room for more steps would not be a unit of work. Or it has come to where no path
 * is left: there may be one from the start. */
static bool walker_gives_up(const walker *w, cairn_status status)
{
    bool lost = status == CAIRN_RUNNING && w->builder.count == WALKER_NODES;
    bool trapped = status == CAIRN_UNREACHABLE && w->builder.count > 1 && walker_may_be_trapped(w);
    return (status == CAIRN_COST_OVERFLOW || lost || trapped) && !w->builder.given;
}

cairn_status crn_walker_step(cairn_search *search, uint64_t work)
{
    cairn_status status = CAIRN_RUNNING;
    while (work && status == CAIRN_RUNNING && !walker_gives_up(search->scratch, status))
        status = walker_move(search, &work);
    walker_pause(search, status);
    return walker_gives_up(search->scratch, status) ? crn_search_delegate(search) : status;
}

cairn_status crn_walker_next(cairn_search *search)
{
    walker *w = search->scratch;
    crn_builder_next(&w->builder);
    return CAIRN_RUNNING;
}
