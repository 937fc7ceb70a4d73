/* landmarks.c: the distances of landmarks as a heuristic. See landmarks.h, which has the proof. */
#include "heuristic/landmarks.h"

/* The largest difference, by rows of `count`. */
CRN_INLINE uint32_t landmarks_most(const uint16_t *to, const uint16_t *from, uint32_t count,
                                   bool both)
{
    int32_t most = 0, least = 0;
    for (uint32_t i = 0; i < count; i++) {
        int32_t difference = (int32_t)to[i] - from[i];
        if (difference > most) most = difference;
        if (difference < least) least = difference;
    }
    if (both && -least > most) most = -least;
    return (uint32_t)most;
}

CRN_INLINE uint64_t landmarks_larger(const crn_landmarks *landmarks, uint32_t most, uint64_t metric)
{
    uint64_t bound = most ? ((uint64_t)(most - 1) << landmarks->shift) + 1 : 0;
    return bound > metric ? bound : metric;
}

static uint64_t landmarks_refine(const crn_estimate *estimate, cairn_node node, uint64_t metric)
{
    const crn_landmarks *landmarks = estimate->data;
    const uint16_t *bound = estimate->note.halves,
                   *row = landmarks->table + (size_t)node * landmarks->count;
    const uint16_t *to = estimate->backward ? row : bound, *from = estimate->backward ? bound : row;
    return landmarks_larger(landmarks, landmarks_most(to, from, landmarks->count, landmarks->both),
                            metric);
}

/* The default number of landmarks as a constant, and forward: the compiler then needs no loop. */
static uint64_t landmarks_refine_four(const crn_estimate *estimate, cairn_node node,
                                      uint64_t metric)
{
    const crn_landmarks *landmarks = estimate->data;
    const uint16_t *row = landmarks->table + (size_t)node * 4;
    uint32_t most = landmarks_most(estimate->note.halves, row, 4, landmarks->both);
    return landmarks_larger(landmarks, most, metric);
}

/* Notes the distances of what the estimate is bound to. */
static void landmarks_bind(crn_estimate *estimate, const crn_aim *aim)
{
    const crn_landmarks *landmarks = estimate->data;
    memcpy(estimate->note.halves, landmarks->table + (size_t)aim->nodes[0] * landmarks->count,
           landmarks->count * sizeof *landmarks->table);
    if (landmarks->count == 4 && !aim->backward) estimate->refine = landmarks_refine_four;
}

/* A step may raise the estimate by the steepest fall of a distance, and by what is rounded away. */
static crn_heuristic_facts landmarks_facts(const void *data, const cairn_space *space)
{
    const crn_landmarks *landmarks = data;
    uint64_t rise = (uint64_t)landmarks->steep + (UINT64_C(1) << landmarks->shift),
             metric = 2 * (uint64_t)space->max_edge;
    return (crn_heuristic_facts){.admissible = true, .rise = rise > metric ? rise : metric};
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
