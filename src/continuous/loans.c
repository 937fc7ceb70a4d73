/* loans.c: searches that navigators borrow. See loans.h. */
#include "continuous/loans.h"
#include <cairn/navigator.h>

#define LOANS_SEARCHES 4u /* by default */
#define LOANS_MOST 1024u
#define LOANS_PATIENCE 64u

typedef struct loans_desk {
    cairn_search *search; /* NULL = not made yet */
    crn_loan *holder;     /* NULL = free */
} loans_desk;

struct crn_lender {
    uint32_t users;
    uint32_t desk_count;
    uint64_t clock; /* one more with every request that is not granted at once */
    uint32_t waiting;
    crn_loan *first, *last; /* of those that wait */
    loans_desk desks[];
};

/* ---- life ---- */

static size_t loans_size(uint32_t desks)
{
    return sizeof(crn_lender) + desks * sizeof(loans_desk);
}

cairn_status crn_lender_join(cairn_planner *planner)
{
    uint32_t desks = planner->lent_searches ? planner->lent_searches : LOANS_SEARCHES;
    if (!planner->lender) {
        planner->lender = crn_alloc_zero(planner->space->context, loans_size(desks));
        if (!planner->lender) return CAIRN_OUT_OF_MEMORY;
        planner->lender->desk_count = desks;
    }
    planner->lender->users++;
    return CAIRN_OK;
}

void crn_lender_leave(cairn_planner *planner, crn_loan *loan)
{
    crn_lender *lender = planner->lender;
    crn_loan_return(planner, loan);
    if (--lender->users) return;
    planner->lender = NULL;
    for (uint32_t i = 0; i < lender->desk_count; i++) cairn_search_destroy(lender->desks[i].search);
    crn_free(planner->space->context, lender, loans_size(lender->desk_count));
}

/* ---- the queue ---- */

static void loans_enqueue(crn_lender *lender, crn_loan *loan)
{
    if (loan->waiting) return;
    loan->waiting = true;
    loan->before = lender->last;
    loan->after = NULL;
    *(lender->last ? &lender->last->after : &lender->first) = loan;
    lender->last = loan;
    lender->waiting++;
}

static void loans_dequeue(crn_lender *lender, crn_loan *loan)
{
    if (!loan->waiting) return;
    *(loan->before ? &loan->before->after : &lender->first) = loan->after;
    *(loan->after ? &loan->after->before : &lender->last) = loan->before;
    loan->waiting = false;
    lender->waiting--;
}

/* Has it not been called for so long that the others need not wait for it? */
static bool loans_is_absent(const crn_lender *lender, const crn_loan *loan)
{
    uint64_t turn = (uint64_t)lender->waiting + lender->desk_count;
    return lender->clock - loan->seen > LOANS_PATIENCE * turn;
}

/* Is it among the first `count` of the queue, or would it be? */
static bool loans_is_among(const crn_lender *lender, const crn_loan *loan, uint32_t count)
{
    if (!loan->waiting) return lender->waiting < count;
    const crn_loan *at = lender->first;
    for (uint32_t i = 0; i < count && at; i++, at = at->after)
        if (at == loan) return true;
    return false;
}

/* ---- desks ---- */

static bool loans_is_free(const crn_lender *lender, const loans_desk *desk)
{
    const crn_loan *holder = desk->holder;
    return !holder || holder->resting || loans_is_absent(lender, holder);
}

static uint32_t loans_count_free(const crn_lender *lender)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < lender->desk_count; i++)
        count += loans_is_free(lender, &lender->desks[i]);
    return count;
}

/* Better is one that nobody holds, then one that has a search, then the one seen longest ago. */
static bool loans_is_better(const loans_desk *a, const loans_desk *b)
{
    if (!b || !a->holder != !b->holder) return !b || !a->holder;
    return a->holder ? a->holder->seen < b->holder->seen : a->search && !b->search;
}

static loans_desk *loans_choose(crn_lender *lender)
{
    loans_desk *best = NULL;
    for (uint32_t i = 0; i < lender->desk_count; i++) {
        loans_desk *desk = &lender->desks[i];
        if (loans_is_free(lender, desk) && loans_is_better(desk, best)) best = desk;
    }
    return best;
}

static cairn_status loans_grant(cairn_planner *planner, crn_loan *loan)
{
    crn_lender *lender = planner->lender;
    loans_desk *desk = loans_choose(lender);
    cairn_search_options options = {.byte_limit = planner->lent_bytes / lender->desk_count};
    if (planner->lent_bytes && !options.byte_limit) options.byte_limit = 1;
    cairn_status status = CAIRN_OK;
    if (!desk->search) status = cairn_search_create(planner, &options, &desk->search);
    loans_dequeue(lender, loan);
    if (status != CAIRN_OK) return status;
    if (desk->holder) desk->holder->search = NULL;
    desk->holder = loan;
    loan->search = desk->search;
    return CAIRN_OK;
}

cairn_status crn_loan_take(cairn_planner *planner, crn_loan *loan)
{
    crn_lender *lender = planner->lender;
    if (loan->own) return CAIRN_OK;
    loan->resting = false;
    loan->seen = lender->clock;
    if (loan->search) return CAIRN_OK;
    while (lender->first && loans_is_absent(lender, lender->first))
        loans_dequeue(lender, lender->first);
    if (loans_is_among(lender, loan, loans_count_free(lender))) return loans_grant(planner, loan);
    loans_enqueue(lender, loan);
    loan->seen = ++lender->clock;
    return CAIRN_RUNNING;
}

void crn_loan_rest(crn_loan *loan)
{
    loan->resting = true;
}

void crn_loan_return(cairn_planner *planner, crn_loan *loan)
{
    crn_lender *lender = planner->lender;
    if (loan->own) return;
    loans_dequeue(lender, loan);
    for (uint32_t i = 0; loan->search && i < lender->desk_count; i++)
        if (lender->desks[i].holder == loan) lender->desks[i].holder = NULL;
    loan->search = NULL;
}

/* ---- for users ---- */

cairn_status cairn_planner_set_pool(cairn_planner *planner, const cairn_pool_options *options)
{
    if (!planner || planner->lender) return CAIRN_INVALID;
    cairn_pool_options chosen = options ? *options : (cairn_pool_options){0};
    if (chosen.searches > LOANS_MOST) return CAIRN_INVALID;
    planner->lent_searches = chosen.searches;
    planner->lent_bytes = chosen.byte_limit;
    return CAIRN_OK;
}

cairn_pool_use cairn_planner_pool(const cairn_planner *planner)
{
    cairn_pool_use use = {0};
    const crn_lender *lender = planner ? planner->lender : NULL;
    if (!lender) return use;
    use.navigators = lender->users;
    use.waiting = lender->waiting;
    use.bytes = loans_size(lender->desk_count);
    for (uint32_t i = 0; i < lender->desk_count; i++) {
        const loans_desk *desk = &lender->desks[i];
        if (!desk->search) continue;
        use.searches++;
        use.borrowed += !loans_is_free(lender, desk);
        use.bytes += desk->search->memory.bytes;
    }
    return use;
}
