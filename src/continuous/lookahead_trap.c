/* lookahead_trap.c: an agent that looks ahead finds out that it is trapped.
 *
 * Where a step cannot be walked back, an agent that sees a few nodes may make one after which the
 * goal is out of reach. It would walk on for ever: each look raises estimates, and none of them is
 * too large. So after so many looks (TRAP_LOOKS) it begins to explore, beside its walk: breadth
 * first, from where it stands, with one batch of edges for each look. What it can reach later is a
 * part of that. So if all of it is explored and the goal is not there, no path is left, wherever
 * the agent has walked meanwhile.
 *
 * An exploration ends without an answer when it finds the goal, or more nodes than there were looks
 * when it began. The next one begins where the agent stands when there have been twice as many
 * looks. So an agent that was trapped by its t-th look, among n nodes, stops within a few times
 * max(t, n) looks, and what is kept for it never has more nodes than there were looks. A commit or
 * a push begins to count again.
 *
 * Worlds where every step can be walked back have no traps, and need none of this.
 */
#include "continuous/lookahead.h"

enum { TRAP_LOOKS = 64, TRAP_BATCH = 16 };

struct crn_trap {
    uint64_t looks, next; /* so far; an exploration begins with this one */
    uint64_t most;        /* nodes that it may find */
    bool exploring;
    bool explored;         /* at least once, since all was forgotten */
    crn_members found;     /* in the order of their numbers, from 1 on */
    uint32_t number, edge; /* the next edge of the next node */
};

void crn_lookahead_free_trap(crn_lookahead *look)
{
    crn_trap *trap = look->trap;
    if (!trap) return;
    crn_members_close(&trap->found);
    crn_scratch_free(&look->navigator->memory, trap, sizeof *trap);
    look->trap = NULL;
}

void crn_lookahead_forget_trap(crn_lookahead *look)
{
    crn_trap *trap = look->trap;
    if (!trap) return;
    trap->exploring = trap->explored = false;
    trap->looks = 0;
    trap->next = TRAP_LOOKS;
}

size_t crn_lookahead_trap_bytes(const crn_lookahead *look)
{
    const crn_trap *trap = look->trap;
    if (!trap || !trap->looks) return 0;
    return sizeof *trap + (trap->explored ? crn_members_bytes(&trap->found) : 0);
}

static cairn_status trap_open(crn_lookahead *look)
{
    crn_scratch *memory = &look->navigator->memory;
    crn_trap *trap = look->trap = crn_scratch_alloc(memory, sizeof *trap);
    if (!trap) return CAIRN_OUT_OF_MEMORY;
    *trap = (crn_trap){.next = TRAP_LOOKS};
    crn_members_open(&trap->found, memory);
    return CAIRN_OK;
}

/* Without an answer. */
static void trap_end(crn_trap *trap)
{
    trap->exploring = false;
    trap->next = 2 * trap->looks;
}

static cairn_status trap_begin(crn_trap *trap, cairn_node from)
{
    trap->exploring = trap->explored = true;
    trap->most = trap->looks;
    trap->number = 1;
    trap->edge = 0;
    cairn_status status = crn_members_reset(&trap->found, NULL);
    if (status == CAIRN_OK && !crn_members_set(&trap->found, from, 1)) status = CAIRN_OUT_OF_MEMORY;
    return status;
}

/* Some more edges. CAIRN_UNREACHABLE: nothing is left to explore. */
static cairn_status trap_explore(crn_trap *trap, const cairn_navigator *navigator)
{
    cairn_edge edges[TRAP_BATCH];
    cairn_node from = crn_members_state(&trap->found, trap->number);
    uint32_t count = cairn_space_expand(navigator->space, from, trap->edge, edges, TRAP_BATCH);
    for (uint32_t i = 0; i < count; i++) {
        if (edges[i].cost == CAIRN_NO_COST) continue;
        if (edges[i].node == navigator->goal || trap->found.count > trap->most) {
            trap_end(trap);
            return CAIRN_OK;
        }
        if (crn_members_place(&trap->found, edges[i].node)) continue;
        if (!crn_members_set(&trap->found, edges[i].node, 1)) return CAIRN_OUT_OF_MEMORY;
    }
    trap->edge += count;
    if (count == TRAP_BATCH) return CAIRN_OK;
    trap->number++;
    trap->edge = 0;
    return trap->number > trap->found.count ? CAIRN_UNREACHABLE : CAIRN_OK;
}

cairn_status crn_lookahead_watch(crn_lookahead *look)
{
    cairn_status status = look->trap ? CAIRN_OK : trap_open(look);
    crn_trap *trap = look->trap;
    if (status != CAIRN_OK) return status;
    trap->looks++;
    if (!trap->exploring && trap->looks < trap->next) return CAIRN_OK;
    if (!trap->exploring) status = trap_begin(trap, look->navigator->at);
    if (status == CAIRN_OK) status = trap_explore(trap, look->navigator);
    if (status == CAIRN_OUT_OF_MEMORY) trap_end(trap);
    return status;
}
