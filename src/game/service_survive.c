/* service_survive.c: searches go on over commits that miss everything they have read.
 *
 * A best-first search on a grid has read the cells round the nodes that it has seen, and what all
 * costs and estimates rest on, and nothing else. If a commit has changed neither, the search is
 * what it would be if it had begun now, down to the last tie. So it may take itself for one of the
 * world as it is. Other searches read farther (they jump, or ask an index): they begin again.
 */
#include "game/service.h"
#include "search/best_first.h"
#include "world/changes.h"

enum { SURVIVE_BOXES = 8, SURVIVE_NEAR = 8, SURVIVE_CELLS = 1024, SURVIVE_NODES = 1024 };

/* Where commits may have changed what a search reads round a node. */
typedef struct survive_edits {
    crn_size_box boxes[SURVIVE_BOXES];
    uint32_t count;
    uint64_t nodes; /* in all of them */
} survive_edits;

static bool survive_near(const crn_size_box *a, const crn_size_box *b)
{
    return a->left <= b->right + SURVIVE_NEAR && b->left <= a->right + SURVIVE_NEAR &&
           a->top <= b->bottom + SURVIVE_NEAR && b->top <= a->bottom + SURVIVE_NEAR;
}

static void survive_add(survive_edits *edits, const crn_size_box *box)
{
    uint32_t i = edits->count;
    while (i && !survive_near(&edits->boxes[i - 1], box)) i--;
    if (!i && edits->count < SURVIVE_BOXES) {
        edits->boxes[edits->count++] = *box;
        return;
    }
    crn_size_box *old = &edits->boxes[i ? i - 1 : 0];
    old->left = crn_min_u32(old->left, box->left);
    old->top = crn_min_u32(old->top, box->top);
    old->right = crn_max_u32(old->right, box->right);
    old->bottom = crn_max_u32(old->bottom, box->bottom);
}

/* Lists what was edited after a version; false = too much, or it is not known. */
static bool survive_gather(const crn_grid_space *space, uint64_t since, survive_edits *edits)
{
    uint32_t cells = 0;
    cairn_commit commit;
    *edits = (survive_edits){.count = 0};
    while (since < space->grid->version) {
        if (cairn_grid_commit_info(space->grid, ++since, &commit) != CAIRN_OK) return false;
        cells += commit.change_count;
        if (commit.links_changed || cells > SURVIVE_CELLS) return false;
        for (uint32_t i = 0; i < commit.change_count; i++) {
            crn_size_box box = crn_edits_box(space, commit.changes[i].node, 2);
            survive_add(edits, &box);
        }
    }
    for (uint32_t i = 0; i < edits->count; i++) {
        const crn_size_box *box = &edits->boxes[i];
        edits->nodes += (uint64_t)(box->right - box->left + 1) * (box->bottom - box->top + 1);
    }
    return edits->nodes <= SURVIVE_NODES;
}

static bool survive_inside(const crn_size_box *box, uint32_t x, uint32_t y)
{
    return x >= box->left && x <= box->right && y >= box->top && y <= box->bottom;
}

/* Has the search seen no node of the boxes, and is its goal none of them? */
static bool survive_misses(const crn_grid_space *space, const cairn_search *search,
                           const survive_edits *edits)
{
    const uint32_t width = space->grid->width;
    cairn_node goal = search->query.to;
    for (uint32_t i = 0; i < edits->count; i++) {
        const crn_size_box *box = &edits->boxes[i];
        if (survive_inside(box, goal % width, goal / width)) return false;
        for (uint32_t y = box->top; y <= box->bottom; y++)
            for (uint32_t x = box->left; x <= box->right; x++)
                if (crn_best_first_cost_to(search, y * width + x) != CAIRN_NO_COST) return false;
    }
    return true;
}

/* Is it one that reads nothing but what lies round its nodes, and under way? */
static bool survive_may(const crn_service_planner *p, const crn_desk *desk)
{
    const cairn_search *search = desk->search;
    return desk->job != CRN_SERVICE_NONE && !desk->resting && !desk->holds && !desk->pinned &&
           search && search->status == CAIRN_RUNNING && search->phase == CRN_PHASE_SEARCH &&
           search->ending == CAIRN_RUNNING && search->answered && !search->query.partial &&
           search->version == p->seen && crn_best_first_reads_near(search);
}

static uint64_t survive_planner(crn_service_planner *p, uint64_t units)
{
    const crn_grid_space *space = crn_grid_space_of(p->planner->space);
    crn_facts now;
    survive_edits edits;
    uint64_t used = 0, version = cairn_space_version(p->planner->space);
    bool any = false;
    if (p->twins || !crn_facts_learn(p->planner->space, &now) || version == p->seen) return 0;
    for (uint32_t k = 0; k < p->desk_count; k++) any |= survive_may(p, &p->desks[k]);
    any = any && crn_facts_equal(&now, &p->facts) && used < units;
    if (any) used++;
    any = any && survive_gather(space, p->seen, &edits);
    for (uint32_t k = 0; any && k < p->desk_count && used < units; k++) {
        crn_desk *desk = &p->desks[k];
        if (!survive_may(p, desk)) continue;
        used++;
        if (survive_misses(space, desk->search, &edits)) desk->search->version = version;
    }
    p->seen = version;
    p->facts = now;
    return used;
}

uint64_t crn_survive(cairn_service *service, uint64_t units, crn_timer *timer)
{
    uint64_t used = 0;
    for (uint32_t i = 0; i < service->planner_count && (!used || crn_timer_look(timer)); i++)
        used += survive_planner(&service->planners[i], units - used);
    return used;
}
