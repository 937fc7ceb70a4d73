/* advise_choose.c: who obeys what a game needs, and who wins (see advise.h).
 *
 * Time: paths and repairs of a second, divided by its frames, must fit into the budget of a frame.
 * Searches can be sliced, so a single path may take longer than a frame. A repair that cannot be
 * sliced may not. Paths are those that agents ask for and those that edits have broken, and each is
 * searched and then followed by the service. An agent that has a piece asks, too, when it comes to
 * its end.
 *
 * Memory: the index, the largest search that was seen with one standard deviation more, since
 * another search may be larger than all of the sample (T 866), and a path for each agent.
 *
 * Of those that obey, the one that takes the least time of a frame wins. Who takes at most a tenth
 * more than that is as good, as times are noisy, and then the least memory wins.
 */
#include "advise.h"

#include "text.h"

#include <math.h>

#define ADVISE_EQUAL 1.1
#define ADVISE_FAILURES \
    0.01 /* the share of problems that may fail, such as by the search's limit */

static const char *const advise_faults[ADVISE_FAULTS] = {
    "obeys", "refused", "slow build", "no answers", "memory", "length", "time", "stall",
};

const char *advise_fault_name(advise_fault fault)
{
    return fault < ADVISE_FAULTS ? advise_faults[fault] : "unknown";
}

/* 0 where nothing was counted. */
static double choose_mean(const statistic *s)
{
    return s->count ? statistic_mean(s) : 0;
}

/* Work on the index after a commit. Who cannot repair it builds it again. */
static double choose_repair(const advise_run *run, const advise_candidate *c)
{
    if (run->needs->edits <= 0 || !c->index) return 0;
    return c->repair_us.count || c->repairs ? choose_mean(&c->repair_us) : c->build_us;
}

static advise_fault choose_fault(const advise_run *run, const advise_candidate *c)
{
    const advise_needs *needs = run->needs;
    double asked = c->solved + c->failed + c->delegated;
    if (c->fault == ADVISE_REFUSED || c->fault == ADVISE_SLOW_BUILD) return c->fault;
    if (!c->solved || c->failed + c->delegated > ADVISE_FAILURES * asked) return ADVISE_FAILED;
    if (c->memory > needs->bytes) return ADVISE_MEMORY;
    if (c->percent > needs->longer) return ADVISE_LONGER;
    if (c->frame_us > needs->budget_us) return ADVISE_LOAD;
    bool stalls = needs->edits > 0 && c->index && !c->slices && c->repair_us.count;
    if (stalls && c->repair_us.most > needs->budget_us) return ADVISE_STALL;
    return ADVISE_OBEYS;
}

/* ---- whole paths and pieces ---- */

static void choose_frame(const advise_run *run, const advise_candidate *c, advise_form *form)
{
    const advise_needs *needs = run->needs;
    double edit = choose_repair(run, c) + choose_mean(&run->edited.commit_us);
    form->frame_us = (form->searches * form->each_us + needs->edits * edit) / needs->frames;
}

/* An agent may be anywhere on its path, so half of it is searched again if it is broken. */
static void choose_whole(const advise_run *run, advise_candidate *c)
{
    double follow = run->edited.follow_us * choose_mean(&c->steps), asked = run->needs->requests;
    double broken = advise_broken(run, 0), searches = asked + broken;
    double time = asked * (choose_mean(&c->time_us) + follow) +
                  broken * (choose_mean(&c->rest_us) + follow / 2);
    c->whole = (advise_form){.broken = broken,
                             .searches = searches,
                             .each_us = time / searches,
                             .longer = choose_mean(&c->longer)};
    choose_frame(run, c, &c->whole);
}

/* An agent may be anywhere on its piece, so half of it is left. It asks for the next one at its
 * end, unless it wants another path before, or its own is broken: at random moments, so that some
 * pieces are walked to their ends even if they take longer than what lies between two of these.
 * Agents cannot walk more than their speed allows, nor more than the paths that they want. */
static void choose_pieces(const advise_run *run, advise_candidate *c)
{
    const advise_needs *needs = run->needs;
    double count = choose_mean(&c->pieces_count), all = choose_mean(&c->steps), steps = all / count;
    double broken = advise_broken(run, fmax(steps / 2, 1)), asked = needs->requests + broken;
    double ends = fmin((double)needs->agents * needs->speed, needs->requests * all) / steps;
    c->in_pieces =
        (advise_form){.broken = broken,
                      .searches = ends > 0 ? asked / -expm1(-asked / ends) : asked,
                      .each_us = choose_mean(&c->pieces_us) / count + run->edited.follow_us * steps,
                      .longer = choose_mean(&c->pieces_longer)};
    choose_frame(run, c, &c->in_pieces);
}

const advise_form *advise_form_of(const advise_candidate *c)
{
    return c->piece ? &c->in_pieces : &c->whole;
}

/* The form that takes less, unless only the paths of the other one are short enough. */
static void choose_form(const advise_run *run, advise_candidate *c)
{
    c->piece = 0;
    choose_whole(run, c);
    if (c->pieces && c->pieces_us.count) {
        choose_pieces(run, c);
        double most = run->needs->longer;
        bool better = c->in_pieces.frame_us < c->whole.frame_us || c->whole.longer > most;
        if (better && c->in_pieces.longer <= most) c->piece = run->edited.piece;
    }
    c->frame_us = advise_form_of(c)->frame_us;
    c->percent = advise_form_of(c)->longer;
}

/* ---- the choice ---- */

void advise_judge(const advise_run *run, advise_candidate *c)
{
    double deviation = c->bytes.count > 1 ? statistic_deviation(&c->bytes) : 0;
    double search = c->bytes.count ? c->bytes.most + deviation : 0;
    choose_form(run, c);
    c->memory = (double)c->index_bytes + search + run->needs->agents * choose_mean(&c->path_bytes);
    c->fault = choose_fault(run, c);
}

void advise_choose(advise_run *run)
{
    double best = HUGE_VAL;
    run->chosen = ADVISE_CANDIDATES;
    for (uint32_t i = 0; i < run->count; i++) {
        advise_judge(run, &run->all[i]);
        if (!run->all[i].fault && !run->all[i].dropped) best = fmin(best, run->all[i].frame_us);
    }
    for (uint32_t i = 0; i < run->count; i++) {
        const advise_candidate *c = &run->all[i];
        if (c->fault || c->dropped || c->frame_us > best * ADVISE_EQUAL) continue;
        if (run->chosen == ADVISE_CANDIDATES || c->memory < run->all[run->chosen].memory)
            run->chosen = i;
    }
}

bool advise_on_front(const advise_run *run, const advise_candidate *c)
{
    if (!c->solved) return false;
    for (uint32_t i = 0; i < run->count; i++) {
        const advise_candidate *o = &run->all[i];
        bool better = o->frame_us < c->frame_us || o->memory < c->memory || o->percent < c->percent;
        if (o->solved && better && o->frame_us <= c->frame_us && o->memory <= c->memory &&
            o->percent <= c->percent)
            return false;
    }
    return true;
}

const char *advise_reason(const advise_run *run, const advise_candidate *c, char out[ADVISE_TEXT])
{
    const advise_needs *needs = run->needs;
    char a[TEXT_SHORT], b[TEXT_SHORT];
    switch (c->fault) {
    case ADVISE_OBEYS:
        snprintf(out, ADVISE_TEXT, "%s",
                 c->dropped ? "meets all limits, but others are much faster" : "meets all limits");
        break;
    case ADVISE_REFUSED: snprintf(out, ADVISE_TEXT, "cannot serve this world"); break;
    case ADVISE_SLOW_BUILD:
        snprintf(out, ADVISE_TEXT, "takes more than %s to build its index",
                 text_duration(c->build_us, a));
        break;
    case ADVISE_FAILED:
        snprintf(out, ADVISE_TEXT, "left %u of %u problems to another algorithm, or unsolved",
                 c->failed + c->delegated, c->solved + c->failed + c->delegated);
        break;
    case ADVISE_MEMORY:
        snprintf(out, ADVISE_TEXT, "needs %s of memory, and there are %s",
                 text_bytes((uint64_t)c->memory, a), text_bytes((uint64_t)needs->bytes, b));
        break;
    case ADVISE_LONGER:
        snprintf(out, ADVISE_TEXT,
                 "finds paths that are %.1f %% longer than the best; %.1f %% are allowed",
                 c->percent, needs->longer);
        break;
    case ADVISE_LOAD:
        snprintf(out, ADVISE_TEXT, "takes %s of each frame, which has %s",
                 text_duration(c->frame_us, a), text_duration(needs->budget_us, b));
        break;
    default:
        snprintf(out, ADVISE_TEXT, "repairs its index in one go, in up to %s, and a frame has %s",
                 text_duration(c->repair_us.most, a), text_duration(needs->budget_us, b));
        break;
    }
    return out;
}
