/* dead_ends.c: which nodes no cheapest path of a query leads to. See dead_ends.h. */
#include "heuristic/dead_ends.h"

/* Of two heavy paths, the one whose head has the larger number is not above the other. */
uint32_t crn_dead_ends_common(const crn_dead_ends *dead_ends, uint32_t a, uint32_t b)
{
    const crn_chamber *chambers = dead_ends->chambers;
    while (a != CRN_NO_CHAMBER && b != CRN_NO_CHAMBER && chambers[a].head != chambers[b].head) {
        if (chambers[a].head > chambers[b].head) {
            a = chambers[chambers[a].head].parent;
        } else {
            b = chambers[chambers[b].head].parent;
        }
    }
    return a == CRN_NO_CHAMBER || b == CRN_NO_CHAMBER ? CRN_NO_CHAMBER : crn_min_u32(a, b);
}

/* Is it above one of the two, and not above `top`? */
CRN_INLINE bool dead_ends_alive(const crn_dead_ends *dead_ends, uint32_t chamber,
                                const uint32_t ends[3])
{
    if (chamber < ends[2] || chamber == CRN_NO_CHAMBER) return false;
    uint32_t last = dead_ends->chambers[chamber].last;
    return (chamber <= ends[0] && ends[0] <= last) || (chamber <= ends[1] && ends[1] <= last);
}

static uint64_t dead_ends_refine(const crn_estimate *estimate, cairn_node node, uint64_t metric)
{
    const crn_dead_ends *dead_ends = estimate->data;
    bool alive = dead_ends_alive(dead_ends, dead_ends->of[node], estimate->note.numbers);
    return CRN_LIKELY(alive) ? metric : CRN_ESTIMATE_DEAD;
}

/* Notes the chambers of start and goal, and the one where their branches meet. If nobody says where
 * the start is, all nodes are alive. */
static void dead_ends_bind(crn_estimate *estimate, const crn_aim *aim)
{
    const crn_dead_ends *dead_ends = estimate->data;
    uint32_t *ends = estimate->note.numbers;
    if (!aim->start || aim->backward) {
        estimate->refine = NULL;
        return;
    }
    ends[0] = dead_ends->of[*aim->start];
    ends[1] = dead_ends->of[aim->nodes[0]];
    ends[2] = crn_dead_ends_common(dead_ends, ends[0], ends[1]);
}

/* Of nodes that are alive the estimate is the metric's. */
static crn_heuristic_facts dead_ends_facts(const void *data, const cairn_space *space)
{
    (void)data;
    return crn_heuristic_facts_of(NULL, space, space->default_heuristic);
}

crn_heuristic crn_dead_ends_heuristic(const crn_dead_ends *dead_ends)
{
    return (crn_heuristic){.name = "dead-end",
                           .metric = CAIRN_HEURISTIC_AUTO,
                           .facts = dead_ends_facts,
                           .bind = dead_ends_bind,
                           .refine = dead_ends_refine,
                           .data = dead_ends};
}
