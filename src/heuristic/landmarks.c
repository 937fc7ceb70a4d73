/* landmarks.c: the distances of landmarks as a heuristic. See landmarks.h, which has the proof. */
#include "heuristic/landmarks.h"

#define LANDMARKS_CELL(slot) ((slot)&0xc3) | ((slot)&0x0c) << 2 | ((slot)&0x30) >> 2
#define LANDMARKS_FOUR(slot) \
    LANDMARKS_CELL(slot), LANDMARKS_CELL(slot + 1), LANDMARKS_CELL(slot + 2), \
        LANDMARKS_CELL(slot + 3)
#define LANDMARKS_ROW(slot) \
    LANDMARKS_FOUR(slot), LANDMARKS_FOUR(slot + 4), LANDMARKS_FOUR(slot + 8), \
        LANDMARKS_FOUR(slot + 12)
#define LANDMARKS_ROWS(slot) \
    LANDMARKS_ROW(slot), LANDMARKS_ROW(slot + 16), LANDMARKS_ROW(slot + 32), \
        LANDMARKS_ROW(slot + 48)

_Static_assert(2 * CRN_LANDMARKS_MAX <= CRN_ESTIMATE_COLUMNS, "both directions of each landmark");

const uint8_t crn_landmarks_blocks[256] = {LANDMARKS_ROWS(0), LANDMARKS_ROWS(64),
                                           LANDMARKS_ROWS(128), LANDMARKS_ROWS(192)};

static uint64_t landmarks_refine(const crn_estimate *estimate, cairn_node node, uint64_t metric)
{
    const crn_estimate_note *note = &estimate->note;
    size_t at = crn_landmarks_at(estimate->data, node);
    int64_t most = -1;
    for (uint32_t i = 0; i < note->column_count; i++) {
        int64_t bound = crn_landmarks_bound(&note->columns[i], at);
        most = bound > most ? bound : most;
    }
    return most > 0 && (uint64_t)most > metric ? (uint64_t)most : metric;
}

/* By one landmark, which a hash of the node chooses. */
static uint64_t landmarks_refine_one(const crn_estimate *estimate, cairn_node node, uint64_t metric)
{
    const crn_landmarks *landmarks = estimate->data;
    uint32_t i = (uint32_t)(node * UINT64_C(0x9e3779b97f4a7c15) >> 40) % landmarks->count;
    cairn_cost end = estimate->note.numbers[i], own = crn_landmarks_distance(landmarks, node, i),
               to = estimate->backward ? own : end, from = estimate->backward ? end : own;
    uint32_t bound = to > from ? to - from : landmarks->both ? from - to : 0;
    return bound > metric ? bound : metric;
}

bool crn_landmarks_tiled(const crn_estimate *estimate)
{
    if (estimate->refine != landmarks_refine || estimate->backward) return false;
    const crn_landmarks *landmarks = estimate->data;
    return landmarks->both && landmarks->width;
}

void crn_landmarks_read_ahead(const crn_estimate *estimate, uint32_t tile)
{
    enum { LINE = 64 / sizeof(cairn_cost) };
    const crn_estimate_note *note = &estimate->note;
    for (size_t at = (size_t)tile * CRN_LANDMARKS_TILE;
         at < (size_t)(tile + 1) * CRN_LANDMARKS_TILE; at += LINE) {
        for (uint32_t i = 0; i < note->column_count; i++)
            CRN_READ_AHEAD(&note->columns[i].numbers[at]);
    }
}

/* The difference of the node's distance and the end's, or with `turned` of the end's and the
 * node's. */
static crn_estimate_column landmarks_column(const crn_landmarks *landmarks, cairn_node end,
                                            uint32_t i, bool turned)
{
    return (crn_estimate_column){
        .numbers = crn_landmarks_column(landmarks, i),
        .end = (int64_t)crn_landmarks_distance(landmarks, end, i) + turned,
        .flip = turned ? -1 : 0,
    };
}

/* Notes a column before those that say less about the start, if there is room. */
static void landmarks_note(crn_estimate_note *note, const crn_estimate_column *column, size_t start)
{
    uint32_t i = note->column_count;
    int64_t bound = crn_landmarks_bound(column, start);
    while (i > 0 && crn_landmarks_bound(&note->columns[i - 1], start) < bound) i--;
    if (i == CRN_LANDMARKS_USED) return;
    if (note->column_count < CRN_LANDMARKS_USED) note->column_count++;
    for (uint32_t k = note->column_count - 1; k > i; k--) note->columns[k] = note->columns[k - 1];
    note->columns[i] = *column;
}

/* Each direction of a landmark is a column. Without a start all of them are used. With one, only
 * the direction that says something about it. */
static void landmarks_bind(crn_estimate *estimate, const crn_aim *aim)
{
    const crn_landmarks *landmarks = estimate->data;
    crn_estimate_note *note = &estimate->note;
    size_t start = aim->start ? crn_landmarks_at(landmarks, *aim->start) : 0;
    note->column_count = 0;
    for (uint32_t i = 0; i < landmarks->count; i++) {
        crn_estimate_column column =
            landmarks_column(landmarks, aim->nodes[0], i, !estimate->backward);
        crn_estimate_column other =
            landmarks_column(landmarks, aim->nodes[0], i, estimate->backward);
        if (!aim->start) {
            note->columns[note->column_count++] = column;
            if (landmarks->both) note->columns[note->column_count++] = other;
        } else {
            bool turn = landmarks->both && crn_landmarks_bound(&column, start) < 0;
            landmarks_note(note, turn ? &other : &column, start);
        }
    }
    uint32_t most = note->column_count > CRN_LANDMARKS_FEW ? CRN_LANDMARKS_USED : CRN_LANDMARKS_FEW;
    while (note->column_count < most) note->columns[note->column_count++] = note->columns[0];
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
    const crn_landmarks *landmarks = estimate->data;
    for (uint32_t i = 0; i < landmarks->count; i++)
        estimate->note.numbers[i] = crn_landmarks_distance(landmarks, aim->nodes[0], i);
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
