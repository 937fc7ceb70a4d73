/* landmarks.c: choosing landmarks, and computing, saving and loading their table. See landmarks.h.
 *
 * The landmarks lie in the largest component, on its rim. The first is the node farthest from some
 * node of it. Each further one is the node whose nearest landmark is farthest away (of equal ones
 * the least node). Of twice as many landmarks as are wanted, those are kept that tell most about
 * some random pairs of nodes, one after the other. Or they lie where the estimates of the landmarks
 * so far lack most (landmarks_avoid.c). Each choice depends only on the space. One search without a
 * goal for each landmark gives its distances.
 */
#include "heuristic/landmarks.h"
#include "search/algorithm.h"
#include "world/changes.h"

#define LANDMARKS_SLICE 65536u  /* units of work between two reports */
#define LANDMARKS_CHANGED 1024u /* changed cells that are remembered */
#define LANDMARKS_PAIRS 1024u   /* of nodes that landmarks are judged by */
#define LANDMARKS_LINE 64u      /* bytes of the cache that are read at once */
#define LANDMARKS_ROOTS 2u      /* that are tried to avoid what is known */
#define LANDMARKS_SECTION "index.marks"
#define LANDMARKS_TABLE "index.landmarks"

static size_t landmarks_table_bytes(const crn_landmarks *landmarks)
{
    return crn_mul_size(landmarks->column_size, landmarks->count * sizeof *landmarks->table);
}

/* With what may be in front of it. */
static size_t landmarks_block_bytes(size_t table_bytes)
{
    return table_bytes < SIZE_MAX - LANDMARKS_LINE ? table_bytes + LANDMARKS_LINE - 1 : SIZE_MAX;
}

/* Sets what columns are like: by tiles on grids, else by node. */
static void landmarks_lay_out(crn_landmarks *landmarks, const cairn_space *space, uint32_t count)
{
    const crn_grid_space *map = crn_grid_space_of(space);
    *landmarks = (crn_landmarks){.node_count = space->node_count, .count = count, .both = true};
    landmarks->column_size = space->node_count;
    if (!map) return;
    landmarks->width = map->grid->width;
    landmarks->column_size = (size_t)((map->grid->width + 15) / 16) *
                             ((map->grid->height + 15) / 16) * CRN_LANDMARKS_TILE;
}

/* Work on the table. */
typedef struct landmarks_job {
    crn_landmarks *landmarks;
    cairn_space *space;
    cairn_planner *planner; /* dijkstra */
    cairn_search *search;
    uint32_t *scratch;       /* one for each node: a queue, then exact distances */
    cairn_node farthest;     /* of the last search ... */
    cairn_cost eccentricity; /* ... and its distance */
    crn_landmarks_place place;
    cairn_node home; /* the first node of the largest component */
    crn_rng rng;
    const cairn_progress *progress;
    uint64_t done, total; /* nodes, once for each pass over all of them */
    uint64_t work;        /* units of the searches, and one for each node of the other passes */
} landmarks_job;

static bool landmarks_report(const landmarks_job *job, uint64_t part)
{
    return crn_progress(job->progress, job->done + part, job->total);
}

/* ---- the largest component ---- */

/* Marks all nodes that `from` leads to and that were not marked, and returns how many there are.
 * The mark is a 0 in the first column of the table. */
static uint32_t landmarks_flood(landmarks_job *job, cairn_node from)
{
    enum { BATCH = 16 };
    const cairn_space *space = job->space;
    const crn_landmarks *landmarks = job->landmarks;
    uint32_t head = 0, tail = 0;
    landmarks->owned[crn_landmarks_at(landmarks, from)] = 0;
    job->scratch[tail++] = from;
    while (head < tail) {
        cairn_node node = job->scratch[head++];
        cairn_edge edges[BATCH];
        for (uint32_t first = 0, count = BATCH; count == BATCH; first += BATCH) {
            count = space->functions->expand(space, node, first, edges, BATCH);
            for (uint32_t i = 0; i < count; i++) {
                cairn_cost *mark = landmarks->owned + crn_landmarks_at(landmarks, edges[i].node);
                if (*mark == 0) continue;
                *mark = 0;
                job->scratch[tail++] = edges[i].node;
            }
        }
    }
    return tail;
}

/* Returns the first node of the largest component, or CAIRN_NO_NODE if no node is usable. */
static cairn_node landmarks_largest_component(landmarks_job *job)
{
    const crn_landmarks *landmarks = job->landmarks;
    cairn_node best = CAIRN_NO_NODE;
    uint32_t most = 0;
    for (cairn_node node = 0; node < landmarks->node_count; node++) {
        if (landmarks->node_count - node <= most) break;
        if (crn_landmarks_distance(landmarks, node, 0) == 0) continue;
        if (!job->space->functions->usable(job->space, node)) continue;
        uint32_t size = landmarks_flood(job, node);
        if (size > most) most = size, best = node;
    }
    memset(landmarks->owned, 0xff, landmarks_table_bytes(landmarks));
    return best;
}

/* ---- distances ---- */

static void landmarks_note_distance(void *user, cairn_node node, cairn_cost cost)
{
    landmarks_job *job = user;
    job->scratch[node] = cost;
    if (cost > job->eccentricity) job->eccentricity = cost, job->farthest = node;
}

/* Fills the scratch with the distances from a node. */
static cairn_status landmarks_search(landmarks_job *job, cairn_node from)
{
    cairn_query query = {.from = from, .goal_kind = CAIRN_GOAL_NONE};
    cairn_status status = cairn_search_begin(job->search, &query);
    while (status == CAIRN_RUNNING) {
        uint64_t expanded = cairn_search_metrics(job->search).expanded;
        if (!landmarks_report(job, expanded < job->space->node_count ? expanded
                                                                     : job->space->node_count)) {
            return CAIRN_CANCELLED;
        }
        status = cairn_search_step(job->search, LANDMARKS_SLICE);
    }
    /* Nodes that cost more than 32 bits hold are not reached. */
    if (status != CAIRN_FOUND && status != CAIRN_COST_OVERFLOW) return status;
    memset(job->scratch, 0xff, job->space->node_count * sizeof *job->scratch);
    job->work += cairn_search_metrics(job->search).work;
    job->eccentricity = 0;
    job->farthest = from;
    job->done += job->space->node_count;
    return cairn_search_reached(job->search, landmarks_note_distance, job);
}

static void landmarks_store(landmarks_job *job, uint32_t column)
{
    const crn_landmarks *landmarks = job->landmarks;
    cairn_cost *out = landmarks->owned + column * landmarks->column_size;
    for (cairn_node node = 0; node < landmarks->node_count; node++)
        out[crn_landmarks_at(landmarks, node)] = job->scratch[node];
}

/* Notes what the edge from a to b says about the distances. */
static void landmarks_look_at_edge(crn_landmarks *landmarks, cairn_cost a, cairn_cost b,
                                   cairn_cost cost)
{
    if ((a == CAIRN_NO_COST) != (b == CAIRN_NO_COST)) {
        landmarks->both = false;
        if (b != CAIRN_NO_COST) landmarks->steep = CAIRN_COST_MAX;
    } else if (a > b) {
        if (a - b > cost) landmarks->both = false;
        if (a - b > landmarks->steep) landmarks->steep = a - b;
    }
}

static cairn_status landmarks_look_at_edges(landmarks_job *job)
{
    enum { BATCH = 16 };
    const cairn_space *space = job->space;
    for (cairn_node node = 0; node < space->node_count; node++) {
        if (node % LANDMARKS_SLICE == 0 && !landmarks_report(job, node)) return CAIRN_CANCELLED;
        if (!space->functions->usable(space, node)) continue;
        cairn_edge edges[BATCH];
        for (uint32_t first = 0, count = BATCH; count == BATCH; first += BATCH) {
            count = space->functions->expand(space, node, first, edges, BATCH);
            for (uint32_t i = 0; i < count; i++) {
                landmarks_look_at_edge(job->landmarks, job->scratch[node],
                                       job->scratch[edges[i].node], edges[i].cost);
            }
        }
    }
    job->done += space->node_count;
    job->work += space->node_count;
    return CAIRN_OK;
}

/* Returns the node that is farthest from the landmarks so far, or CAIRN_NO_NODE if all are next to
 * one. */
static cairn_node landmarks_next(const crn_landmarks *landmarks, uint32_t chosen)
{
    cairn_node best = CAIRN_NO_NODE;
    uint32_t most = 0;
    for (cairn_node node = 0; node < landmarks->node_count; node++) {
        const cairn_cost *distance = landmarks->table + crn_landmarks_at(landmarks, node);
        uint32_t nearest = *distance, most_far = *distance;
        for (uint32_t i = 1; i < chosen; i++) {
            distance += landmarks->column_size;
            nearest = crn_min_u32(nearest, *distance);
            most_far = crn_max_u32(most_far, *distance);
        }
        if (most_far != CRN_LANDMARK_FAR && nearest > most) most = nearest, best = node;
    }
    return best;
}

/* ---- building ---- */

/* Considers the best landmark by the shortest paths from a root. */
static cairn_status landmarks_consider(landmarks_job *job, cairn_node root,
                                       crn_landmarks_choice *choice)
{
    const cairn_space *space = job->space;
    crn_landmarks_tree tree = {.landmarks = job->landmarks,
                               .space = space,
                               .search = job->search,
                               .distances = job->scratch};
    crn_heuristic plug = crn_landmarks_heuristic(job->landmarks);
    crn_box box = crn_box_empty();
    crn_box_add(&box, space, root);
    crn_aim aim = {.space = space,
                   .metric = space->default_heuristic,
                   .nodes = &root,
                   .count = 1,
                   .box = &box,
                   .backward = true};
    crn_estimate_bind(&tree.estimate, &plug, &aim);
    cairn_status status = landmarks_search(job, root);
    return status == CAIRN_OK ? crn_landmarks_avoid(&tree, choice) : status;
}

/* Any node that the first landmark reaches, or, if there is none yet, the first node of the
 * component and the one farthest from it. */
static cairn_node landmarks_root(landmarks_job *job, uint32_t chosen, uint32_t number)
{
    const crn_landmarks *landmarks = job->landmarks;
    if (!chosen) return number ? job->farthest : job->home;
    cairn_node node = crn_rng_below(&job->rng, landmarks->node_count);
    while (crn_landmarks_distance(landmarks, node, 0) == CRN_LANDMARK_FAR)
        node = node + 1 < landmarks->node_count ? node + 1 : 0;
    return node;
}

/* The first one is the farthest from where the last search began. */
static cairn_node landmarks_farthest_next(const landmarks_job *job, uint32_t chosen)
{
    return chosen ? landmarks_next(job->landmarks, chosen) : job->farthest;
}

/* Where no path from the roots lacks anything, the next landmark is the farthest. */
static cairn_status landmarks_avoid(landmarks_job *job, uint32_t chosen, cairn_node *next)
{
    crn_landmarks_choice choice = {CAIRN_NO_NODE, 0};
    cairn_status status = CAIRN_OK;
    for (uint32_t i = 0; i < LANDMARKS_ROOTS && status == CAIRN_OK; i++)
        status = landmarks_consider(job, landmarks_root(job, chosen, i), &choice);
    *next = choice.node != CAIRN_NO_NODE ? choice.node : landmarks_farthest_next(job, chosen);
    return status;
}

/* Finds the next landmark. */
static cairn_status landmarks_choose(landmarks_job *job, uint32_t chosen, cairn_node *next)
{
    if (job->place == CRN_LANDMARKS_AVOID) return landmarks_avoid(job, chosen, next);
    cairn_status status = chosen ? CAIRN_OK : landmarks_search(job, job->home);
    *next = landmarks_farthest_next(job, chosen);
    return status;
}

static cairn_status landmarks_fill(landmarks_job *job)
{
    crn_landmarks *landmarks = job->landmarks;
    if (!landmarks_report(job, 0)) return CAIRN_CANCELLED;
    job->home = landmarks_largest_component(job);
    job->done += landmarks->node_count;
    job->work += landmarks->node_count;
    cairn_status status = CAIRN_OK;
    for (uint32_t i = 0; job->home != CAIRN_NO_NODE && i < landmarks->count; i++) {
        cairn_node next = CAIRN_NO_NODE;
        status = landmarks_choose(job, i, &next);
        if (status != CAIRN_OK || next == CAIRN_NO_NODE) break;
        landmarks->nodes[i] = next;
        status = landmarks_search(job, next);
        if (status != CAIRN_OK) break;
        landmarks_store(job, i);
        status = landmarks_look_at_edges(job);
        if (status != CAIRN_OK) break;
    }
    if (status != CAIRN_OK) return status;
    job->done = job->total;
    return landmarks_report(job, 0) ? CAIRN_OK : CAIRN_CANCELLED;
}

/* Allocates the table, all far. */
static cairn_status landmarks_fetch(crn_landmarks *landmarks, cairn_context *context)
{
    size_t bytes = landmarks_table_bytes(landmarks);
    uint8_t *block = crn_alloc(context, landmarks_block_bytes(bytes));
    landmarks->owned = NULL;
    if (block) {
        landmarks->slip = (uint32_t)(-(uintptr_t)block % LANDMARKS_LINE);
        landmarks->owned = (cairn_cost *)(void *)(block + landmarks->slip);
        memset(landmarks->owned, 0xff, bytes);
    }
    landmarks->table = landmarks->owned;
    return block ? CAIRN_OK : CAIRN_OUT_OF_MEMORY;
}

static void landmarks_release(const crn_landmarks *landmarks, cairn_context *context)
{
    if (!landmarks->owned) return;
    crn_free(context, (uint8_t *)landmarks->owned - landmarks->slip,
             landmarks_block_bytes(landmarks_table_bytes(landmarks)));
}

static cairn_status landmarks_allocate(crn_landmarks *landmarks, const cairn_space *space,
                                       uint32_t count)
{
    landmarks_lay_out(landmarks, space, count);
    for (uint32_t i = 0; i < CRN_LANDMARKS_TRIED; i++) landmarks->nodes[i] = CAIRN_NO_NODE;
    return landmarks_fetch(landmarks, space->context);
}

/* ---- the best of those that were tried ---- */

/* What a landmark says of the cost from one node to another. */
static cairn_cost landmarks_bound(const crn_landmarks *landmarks, const cairn_node pair[2],
                                  uint32_t column)
{
    cairn_cost a = crn_landmarks_distance(landmarks, pair[0], column),
               b = crn_landmarks_distance(landmarks, pair[1], column);
    if (a == CRN_LANDMARK_FAR || b == CRN_LANDMARK_FAR) return 0;
    return b > a ? b - a : landmarks->both ? a - b : 0;
}

/* Two random nodes, and what is known of the cost between them so far. */
typedef struct landmarks_pair {
    cairn_node nodes[2];
    cairn_cost known;
} landmarks_pair;

/* How much a landmark adds to what is known of all pairs. */
static uint64_t landmarks_gain(const crn_landmarks *landmarks, const landmarks_pair *pairs,
                               uint32_t column)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < LANDMARKS_PAIRS; i++) {
        cairn_cost bound = landmarks_bound(landmarks, pairs[i].nodes, column);
        if (bound > pairs[i].known) sum += bound - pairs[i].known;
    }
    return sum;
}

static void landmarks_draw(landmarks_job *job, landmarks_pair *pairs)
{
    const cairn_space *space = job->space;
    for (uint32_t i = 0; i < LANDMARKS_PAIRS; i++) {
        for (uint32_t k = 0; k < 2; k++) pairs[i].nodes[k] = landmarks_root(job, 1, 0);
        pairs[i].known =
            cairn_estimate(space, CAIRN_HEURISTIC_AUTO, pairs[i].nodes[0], pairs[i].nodes[1]);
    }
}

/* Chooses columns, each time the one that adds most to what is known. */
static void landmarks_pick(landmarks_job *job, landmarks_pair *pairs, uint32_t *columns,
                           uint32_t count)
{
    const crn_landmarks *landmarks = job->landmarks;
    uint32_t taken = 0;
    for (uint32_t n = 0; n < count; n++) {
        uint32_t best = CRN_LANDMARKS_TRIED;
        uint64_t most = 0;
        for (uint32_t i = 0; i < landmarks->count; i++) {
            if (taken >> i & 1) continue;
            uint64_t gain = landmarks_gain(landmarks, pairs, i) + 1;
            if (gain > most) most = gain, best = i;
        }
        taken |= 1u << best;
        columns[n] = best;
        for (uint32_t i = 0; i < LANDMARKS_PAIRS; i++) {
            cairn_cost bound = landmarks_bound(landmarks, pairs[i].nodes, best);
            if (bound > pairs[i].known) pairs[i].known = bound;
        }
    }
}

/* Keeps these columns, in a smaller table. */
static cairn_status landmarks_keep(landmarks_job *job, const uint32_t *columns, uint32_t count)
{
    crn_landmarks *landmarks = job->landmarks, all = *landmarks;
    landmarks->count = count;
    cairn_status status = landmarks_fetch(landmarks, job->space->context);
    for (uint32_t i = 0; i < count && status == CAIRN_OK; i++) {
        memcpy(landmarks->owned + i * landmarks->column_size,
               crn_landmarks_column(&all, columns[i]),
               landmarks->column_size * sizeof *landmarks->table);
    }
    for (uint32_t i = 0; i < CRN_LANDMARKS_TRIED; i++)
        landmarks->nodes[i] = i < count ? all.nodes[columns[i]] : CAIRN_NO_NODE;
    landmarks_release(&all, job->space->context);
    return status;
}

static cairn_status landmarks_select(landmarks_job *job, uint32_t count)
{
    uint32_t columns[CRN_LANDMARKS_TRIED];
    if (count == job->landmarks->count) return CAIRN_OK;
    for (uint32_t i = 0; i < count; i++) columns[i] = i;
    if (job->landmarks->nodes[0] != CAIRN_NO_NODE) {
        landmarks_pair *pairs = crn_alloc(job->space->context, LANDMARKS_PAIRS * sizeof *pairs);
        if (!pairs) return CAIRN_OUT_OF_MEMORY;
        landmarks_draw(job, pairs);
        landmarks_pick(job, pairs, columns, count);
        crn_free(job->space->context, pairs, LANDMARKS_PAIRS * sizeof *pairs);
    }
    return landmarks_keep(job, columns, count);
}

cairn_status crn_landmarks_build(crn_landmarks *landmarks, cairn_space *space,
                                 crn_landmarks_plan plan, const cairn_progress *progress,
                                 cairn_error *error)
{
    landmarks_job job = {
        .landmarks = landmarks, .space = space, .progress = progress, .place = plan.place};
    uint64_t passes = plan.place == CRN_LANDMARKS_AVOID ? 2 + LANDMARKS_ROOTS : 2;
    uint32_t tried = plan.place == CRN_LANDMARKS_BEST ? 2 * plan.count : plan.count;
    job.total = (uint64_t)space->node_count * (2 + passes * tried);
    size_t scratch_bytes = crn_mul_size(space->node_count, sizeof *job.scratch);
    cairn_status status = landmarks_allocate(landmarks, space, tried);
    if (status == CAIRN_OK) {
        job.scratch = crn_alloc(space->context, scratch_bytes);
        status = job.scratch ? cairn_planner_create(space, "dijkstra", &job.planner, NULL)
                             : CAIRN_OUT_OF_MEMORY;
    }
    if (status == CAIRN_OK) status = cairn_search_create(job.planner, NULL, &job.search);
    if (status == CAIRN_OK) status = landmarks_fill(&job);
    if (status == CAIRN_OK) status = landmarks_select(&job, plan.count);
    cairn_search_destroy(job.search);
    cairn_planner_destroy(job.planner);
    crn_free(space->context, job.scratch, scratch_bytes);
    landmarks->work = job.work;
    if (status == CAIRN_OK) return status;
    crn_landmarks_drop(landmarks, space->context);
    return crn_fail(error, status, 0, "%s",
                    status == CAIRN_CANCELLED ? "the build was cancelled"
                                              : "no memory for the landmarks");
}

size_t crn_landmarks_bytes(const crn_landmarks *landmarks)
{
    size_t changed = landmarks->changed_capacity * sizeof *landmarks->changed;
    return offsetof(crn_landmarks, work) + landmarks_table_bytes(landmarks) + changed;
}

void crn_landmarks_drop(crn_landmarks *landmarks, cairn_context *context)
{
    landmarks_release(landmarks, context);
    crn_free(context, landmarks->changed, landmarks->changed_capacity * sizeof *landmarks->changed);
    *landmarks = (crn_landmarks){0};
}

/* ---- when the world changes ---- */

/* Returns the state of the cell when the table was computed, or one that is no looser. Remembers it
 * if there is room. */
static cairn_cell_state landmarks_built_state(crn_landmarks *landmarks, cairn_context *context,
                                              const cairn_change *change)
{
    size_t low = crn_lower_bound(landmarks->changed, landmarks->changed_count, change->node);
    bool known = low < landmarks->changed_count && landmarks->changed[low].node == change->node;
    if (known) return landmarks->changed[low].built;
    void *cells = landmarks->changed;
    if (landmarks->changed_count < LANDMARKS_CHANGED &&
        crn_grow(context, &cells, &landmarks->changed_capacity, landmarks->changed_count + 1,
                 sizeof *landmarks->changed)) {
        landmarks->changed = cells;
        crn_landmarks_cell *at = landmarks->changed + low;
        memmove(at + 1, at, (landmarks->changed_count - low) * sizeof *at);
        *at = (crn_landmarks_cell){change->node, change->before};
        landmarks->changed_count++;
    }
    return change->before;
}

/* Is anything open that was not, or a step cheaper than it was? */
static bool landmarks_looser(const cairn_profile *profile, const cairn_cell_state *before,
                             const cairn_cell_state *after)
{
    uint32_t cost_before = before->open ? profile->terrain_cost[before->terrain] : 0;
    uint32_t cost_after = after->open ? profile->terrain_cost[after->terrain] : 0;
    if (!cost_after) return false;
    if (!cost_before || cost_after < cost_before) return true;
    if (profile->layer_weight && after->layer < before->layer) return true;
    /* Steps up to the cell and down from it change in opposite directions. */
    bool heights = profile->gradient || profile->max_climb != CAIRN_ANY_STEP ||
                   profile->max_drop != CAIRN_ANY_STEP;
    return heights && after->elevation != before->elevation;
}

bool crn_landmarks_refresh(crn_landmarks *landmarks, const cairn_space *space, uint64_t since)
{
    const crn_grid_space *map = crn_grid_space_of(space);
    if (!map) return false;
    crn_edits edits;
    if (crn_edits_begin(&edits, map->grid, since) != CAIRN_OK || edits.links) return false;
    for (const cairn_change *change; (change = crn_edits_next(&edits));) {
        cairn_cell_state built = landmarks_built_state(landmarks, space->context, change);
        if (landmarks_looser(&map->profile, &built, &change->after)) return false;
    }
    return true;
}

/* ---- saving and loading ---- */

/* count, both, steep, and the landmarks themselves */
enum { LANDMARKS_HEAD = 3, LANDMARKS_NUMBERS = LANDMARKS_HEAD + CRN_LANDMARKS_MAX };

cairn_status crn_landmarks_save(const crn_landmarks *landmarks, cairn_store *store,
                                cairn_error *error)
{
    uint32_t numbers[LANDMARKS_NUMBERS] = {landmarks->count, landmarks->both, landmarks->steep};
    memcpy(numbers + LANDMARKS_HEAD, landmarks->nodes,
           CRN_LANDMARKS_MAX * sizeof *landmarks->nodes);
    cairn_status status =
        cairn_store_add(store, LANDMARKS_SECTION, (cairn_bytes){numbers, sizeof numbers}, 4, false);
    if (status == CAIRN_OK) {
        status = cairn_store_add(store, LANDMARKS_TABLE,
                                 (cairn_bytes){landmarks->table, landmarks_table_bytes(landmarks)},
                                 4, true);
    }
    return status == CAIRN_OK
               ? status
               : crn_fail(error, status, 0, "the landmarks cannot be added to the file");
}

static bool landmarks_make_sense(const uint32_t numbers[LANDMARKS_NUMBERS],
                                 const cairn_space *space, uint32_t count)
{
    if (numbers[0] != count || numbers[1] > 1 || numbers[2] > CAIRN_COST_MAX) return false;
    for (uint32_t i = LANDMARKS_HEAD; i < LANDMARKS_NUMBERS; i++) {
        if (numbers[i] >= space->node_count && numbers[i] != CAIRN_NO_NODE) return false;
    }
    return true;
}

cairn_status crn_landmarks_load(crn_landmarks *landmarks, const cairn_space *space, uint32_t count,
                                crn_landmarks_source source, cairn_error *error)
{
    uint32_t numbers[LANDMARKS_NUMBERS];
    size_t head_bytes = 0, table_bytes = 0;
    const void *head = cairn_archive_section(source.archive, LANDMARKS_SECTION, 4, &head_bytes);
    const void *table = cairn_archive_section(source.archive, LANDMARKS_TABLE, 4, &table_bytes);
    crn_landmarks like;
    landmarks_lay_out(&like, space, count);
    size_t expected = landmarks_table_bytes(&like);
    if (!head || head_bytes != sizeof numbers || !table || table_bytes != expected) {
        return crn_fail(error, CAIRN_BAD_DATA, 0, "the landmarks are missing or of a wrong size");
    }
    memcpy(numbers, head, sizeof numbers);
    if (!landmarks_make_sense(numbers, space, count)) {
        return crn_fail(error, CAIRN_BAD_DATA, 0, "the numbers of the landmarks make no sense");
    }
    if (source.borrow) {
        *landmarks = like;
        landmarks->table = table;
    } else {
        if (landmarks_allocate(landmarks, space, count) != CAIRN_OK) {
            return crn_fail(error, CAIRN_OUT_OF_MEMORY, 0, "no memory for the landmarks");
        }
        memcpy(landmarks->owned, table, expected);
    }
    landmarks->both = numbers[1];
    landmarks->steep = numbers[2];
    memcpy(landmarks->nodes, numbers + LANDMARKS_HEAD,
           CRN_LANDMARKS_MAX * sizeof *landmarks->nodes);
    return CAIRN_OK;
}

/* ---- what it looks like ---- */

static uint32_t landmarks_farthest(const crn_landmarks *landmarks, uint32_t column)
{
    uint32_t most = 0;
    const cairn_cost *distances = crn_landmarks_column(landmarks, column);
    for (size_t i = 0; i < landmarks->column_size; i++)
        if (distances[i] != CRN_LANDMARK_FAR) most = crn_max_u32(most, distances[i]);
    return most;
}

/* Cells that were closed since the table was computed still have a distance, but cannot be used. */
static void landmarks_show_rings(const crn_landmarks *landmarks, const cairn_space *space,
                                 uint32_t column, const cairn_overlay_sink *sink)
{
    const uint64_t parts = (uint64_t)landmarks_farthest(landmarks, column) + 1;
    for (cairn_node node = 0; node < landmarks->node_count; node++) {
        cairn_cost distance = crn_landmarks_distance(landmarks, node, column);
        if (distance == CRN_LANDMARK_FAR || !space->functions->usable(space, node)) continue;
        cairn_overlay_item item = {.kind = CAIRN_OVERLAY_AREA, .level = column + 1, .node = node};
        item.group = (uint32_t)((uint64_t)distance * CRN_LANDMARKS_RINGS / parts);
        sink->item(sink->user, &item);
    }
}

void crn_landmarks_overlay(const crn_landmarks *landmarks, const cairn_space *space, uint32_t level,
                           const cairn_overlay_sink *sink)
{
    for (uint32_t i = 0; i < landmarks->count; i++) {
        if ((level && level != i + 1) || landmarks->nodes[i] == CAIRN_NO_NODE) continue;
        landmarks_show_rings(landmarks, space, i, sink);
        cairn_overlay_item item = {
            .kind = CAIRN_OVERLAY_NODE, .level = i + 1, .node = landmarks->nodes[i]};
        item.from = cairn_space_position(space, item.node);
        sink->item(sink->user, &item);
    }
}
