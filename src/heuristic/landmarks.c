/* landmarks.c: the distances of landmarks as a heuristic. See landmarks.h, which has the proof. */
#include "heuristic/landmarks.h"

static uint64_t landmarks_refine(const crn_estimate *estimate, cairn_node node, uint64_t metric)
{
    const crn_landmarks *landmarks = estimate->data;
    const cairn_cost *bound = estimate->note.numbers,
                     *row = landmarks->table + (size_t)node * landmarks->count;
    const cairn_cost *to = estimate->backward ? row : bound,
                     *from = estimate->backward ? bound : row;
    for (uint32_t i = 0; i < landmarks->count; i++)
        if (to[i] > from[i] && to[i] - from[i] > metric) metric = to[i] - from[i];
    return metric;
}

/* With `both`. */
static uint64_t landmarks_refine_both(const crn_estimate *estimate, cairn_node node,
                                      uint64_t metric)
{
    const crn_landmarks *landmarks = estimate->data;
    const cairn_cost *row = landmarks->table + (size_t)node * landmarks->count;
    uint32_t bound = crn_landmarks_apart(estimate->note.numbers, row, landmarks->count);
    return bound > metric ? bound : metric;
}

/* By one landmark, which a hash of the node chooses. */
static uint64_t landmarks_refine_one(const crn_estimate *estimate, cairn_node node, uint64_t metric)
{
    const crn_landmarks *landmarks = estimate->data;
    uint32_t i = (uint32_t)(node * UINT64_C(0x9e3779b97f4a7c15) >> 40) % landmarks->count;
    cairn_cost end = estimate->note.numbers[i],
               own = landmarks->table[(size_t)node * landmarks->count + i],
               to = estimate->backward ? own : end, from = estimate->backward ? end : own;
    uint32_t bound = to > from ? to - from : landmarks->both ? from - to : 0;
    return bound > metric ? bound : metric;
}

const crn_landmarks *crn_landmarks_of(const crn_estimate *estimate)
{
    return estimate->refine == landmarks_refine_both ? estimate->data : NULL;
}

/* Notes the distances of what the estimate is bound to. */
static void landmarks_bind(crn_estimate *estimate, const crn_aim *aim)
{
    const crn_landmarks *landmarks = estimate->data;
    memcpy(estimate->note.numbers, landmarks->table + (size_t)aim->nodes[0] * landmarks->count,
           landmarks->count * sizeof *landmarks->table);
    if (landmarks->both) estimate->refine = landmarks_refine_both;
}

/* A step may raise the estimate by the steepest fall of a distance. From a far node it may be all
 * of CRN_LANDMARK_FAR, one more than the largest cost. */
static crn_heuristic_facts landmarks_facts(const void *data, const cairn_space *space)
{
    const crn_landmarks *landmarks = data;
    uint64_t rise = (uint64_t)landmarks->steep + (landmarks->steep == CAIRN_COST_MAX),
             metric = 2 * (uint64_t)space->max_edge;
    return (crn_heuristic_facts){.admissible = true,
                                 .consistent =
                                     crn_heuristic_consistent(space, space->default_heuristic),
                                 .rise = rise > metric ? rise : metric};
}

static void landmarks_bind_one(crn_estimate *estimate, const crn_aim *aim)
{
    landmarks_bind(estimate, aim);
    estimate->refine = landmarks_refine_one;
}

/* From node to node another landmark is asked. */
static crn_heuristic_facts landmarks_facts_of_one(const void *data, const cairn_space *space)
{
    (void)data;
    (void)space;
    return (crn_heuristic_facts){.admissible = true, .band = 1, .rise = UINT64_MAX};
}

crn_heuristic crn_landmarks_heuristic_of_one(const crn_landmarks *landmarks)
{
    return (crn_heuristic){.name = "landmarks",
                           .metric = CAIRN_HEURISTIC_AUTO,
                           .facts = landmarks_facts_of_one,
                           .bind = landmarks_bind_one,
                           .refine = landmarks_refine_one,
                           .data = landmarks};
}

crn_heuristic crn_landmarks_heuristic(const crn_landmarks *landmarks)
{
    return (crn_heuristic){.name = "landmarks",
                           .metric = CAIRN_HEURISTIC_AUTO,
                           .facts = landmarks_facts,
                           .bind = landmarks_bind,
                           .refine = landmarks_refine,
                           .data = landmarks};
}
