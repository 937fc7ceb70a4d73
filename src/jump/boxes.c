/* boxes.c: making, saving and loading the boxes of goal bounding. See boxes.h.
 *
 * Points are the cells at which a search that jumps may stop: those where, after some move,
 * canonical order knows another move than the usual ones. They follow from the bitmap and are not
 * saved.
 *
 * From each point everything is searched (Dijkstra's algorithm). Steps have two prices, so two FIFO
 * queues are enough as an open list: costs are pushed to each in ascending order, since cells are
 * expanded in that order, and the nearer of the two heads comes next. No cell is pushed twice to
 * the same queue, as the second time it would be more expensive. Each cell collects the first steps
 * of all shortest paths to it from its neighbours on those paths, which are all expanded before it
 * is.
 */
#include "jump/boxes.h"
#include "search/algorithm.h"

#define BOXES_SECTION "index.bounds"
#define BOXES_SLICE 8u /* points that a task looks at between two reports */

static size_t boxes_size(const crn_jump_boxes *boxes)
{
    return crn_mul_size(boxes->count, CRN_DIRECTIONS * sizeof *boxes->boxes);
}

static size_t boxes_points_size(const crn_jump_boxes *boxes)
{
    return crn_mul_size((size_t)boxes->words * boxes->height, sizeof *boxes->points);
}

static cairn_status boxes_no_memory(cairn_error *error)
{
    return crn_fail(error, CAIRN_OUT_OF_MEMORY, 0, "no memory for the boxes of goals");
}

/* ---- points ---- */

/* Among free cells: straight on, and after a diagonal move also the two straight ones that it is
 * made of. */
static uint32_t boxes_usual_moves(uint32_t arrival)
{
    uint32_t moves = 1u << arrival;
    for (uint32_t d = 0; d < CRN_NE && arrival >= CRN_NE; d++) {
        if (crn_dx[d] == crn_dx[arrival] || crn_dy[d] == crn_dy[arrival]) moves |= 1u << d;
    }
    return moves;
}

/* Is the cell in the middle of a pattern a point? */
static bool boxes_is_point(const crn_grid_space *space, uint32_t pattern)
{
    if (!(pattern >> 4 & 1)) return false;
    for (uint32_t arrival = 0; arrival < CRN_DIRECTIONS; arrival++) {
        int32_t behind = 4 - crn_dx[arrival] - 3 * crn_dy[arrival];
        if (!(pattern >> behind & 1)) continue;
        if (space->canonical[arrival][pattern] & ~boxes_usual_moves(arrival)) return true;
    }
    return false;
}

/* Finds and counts the points. */
static bool boxes_find_points(crn_jump_boxes *boxes, const crn_grid_space *space)
{
    const uint32_t width = space->grid->width, height = space->grid->height;
    bool is_point[512];
    for (uint32_t pattern = 0; pattern < 512; pattern++)
        is_point[pattern] = boxes_is_point(space, pattern);
    *boxes =
        (crn_jump_boxes){.words = (width + 63) / 64, .height = height, .steps = space->cheapest};
    boxes->points = crn_alloc(space->base.context, boxes_points_size(boxes));
    if (!boxes->points) return false;
    crn_jump_points *points = boxes->points;
    for (uint32_t y = 0; y < height; y++) {
        for (uint32_t x = 0; x < width; x += 64, points++) {
            *points = (crn_jump_points){.before = boxes->count};
            for (uint32_t i = 0; i < 64 && x + i < width; i++) {
                if (is_point[crn_grid_pattern(space, x + i, y)]) points->bits |= UINT64_C(1) << i;
            }
            boxes->count += crn_count_bits(points->bits);
        }
    }
    return true;
}

/* ---- one search of everything ---- */

/* A cell in a queue: where it is, and at what cost. */
typedef struct boxes_entry {
    uint32_t place; /* y << 16 | x */
    cairn_cost g;
} boxes_entry;

/* What a cell knows. */
typedef struct boxes_record {
    cairn_cost g;
    uint8_t firsts;  /* directions that shortest paths to it begin with */
    uint8_t arrival; /* direction of the last step of one of them */
} boxes_record;

typedef struct boxes_flood {
    const crn_grid_space *space;
    boxes_record *records; /* one for each cell; g = CAIRN_NO_COST between searches */
    boxes_entry *queue[2]; /* straight and diagonal steps, a place for each cell */
    uint32_t head[2], tail[2];
    cairn_cost step[2];
    bool overflowed; /* a path costs more than 32 bits hold */
} boxes_flood;

static size_t boxes_flood_cells(const crn_grid_space *space, size_t element)
{
    return crn_mul_size(space->base.node_count, element);
}

static void boxes_flood_close(boxes_flood *flood)
{
    const crn_grid_space *space = flood->space;
    crn_free(space->base.context, flood->records, boxes_flood_cells(space, sizeof *flood->records));
    for (uint32_t i = 0; i < 2; i++) {
        crn_free(space->base.context, flood->queue[i],
                 boxes_flood_cells(space, sizeof *flood->queue[i]));
    }
}

static bool boxes_flood_open(boxes_flood *flood, const crn_grid_space *space)
{
    size_t size = boxes_flood_cells(space, sizeof *flood->records);
    *flood =
        (boxes_flood){.space = space, .step = {space->cheapest.straight, space->cheapest.diagonal}};
    flood->records = crn_alloc(space->base.context, size);
    if (flood->records) memset(flood->records, 0xff, size);
    for (uint32_t i = 0; i < 2; i++) {
        flood->queue[i] =
            crn_alloc(space->base.context, boxes_flood_cells(space, sizeof *flood->queue[i]));
    }
    return flood->records && flood->queue[0] && flood->queue[1];
}

static boxes_record *boxes_record_at(const boxes_flood *flood, uint32_t place)
{
    return &flood->records[(size_t)(place >> 16) * flood->space->grid->width + (place & 0xffff)];
}

/* The nearer of the two heads; false if both queues are empty. Of cells that were reached more
 * cheaply since, nothing is left. */
static bool boxes_take(boxes_flood *flood, boxes_entry *out)
{
    for (;;) {
        bool straight = flood->head[0] < flood->tail[0], diagonal = flood->head[1] < flood->tail[1];
        if (!straight && !diagonal) return false;
        uint32_t from = !straight || (diagonal && flood->queue[1][flood->head[1]].g <
                                                      flood->queue[0][flood->head[0]].g);
        *out = flood->queue[from][flood->head[from]++];
        if (boxes_record_at(flood, out->place)->g == out->g) return true;
    }
}

/* Makes the steps out of a cell. `firsts` is 0 at the point where it all begins. */
static void boxes_expand(boxes_flood *flood, uint32_t place, const boxes_record *from)
{
    uint32_t pattern = crn_grid_pattern(flood->space, place & 0xffff, place >> 16);
    uint32_t moves = flood->space->moves[from->arrival][pattern];
    for (; moves; moves &= moves - 1) {
        uint32_t d = crn_lowest_bit(moves), kind = d >= CRN_NE;
        uint32_t to = (uint32_t)((int32_t)place + crn_dy[d] * 65536 + crn_dx[d]);
        uint64_t g = (uint64_t)from->g + flood->step[kind];
        uint8_t firsts = (uint8_t)(from->firsts ? from->firsts : 1u << d);
        boxes_record *record = boxes_record_at(flood, to);
        flood->overflowed |= g > CAIRN_COST_MAX;
        if (g == record->g) {
            record->firsts |= firsts;
        } else if (g < record->g) {
            *record = (boxes_record){(cairn_cost)g, firsts, (uint8_t)d};
            flood->queue[kind][flood->tail[kind]++] = (boxes_entry){to, (cairn_cost)g};
        }
    }
}

static void boxes_include(crn_jump_box *boxes, uint32_t firsts, uint32_t place)
{
    uint16_t x = (uint16_t)(place & 0xffff), y = (uint16_t)(place >> 16);
    for (; firsts; firsts &= firsts - 1) {
        crn_jump_box *box = &boxes[crn_lowest_bit(firsts)];
        if (x < box->left) box->left = x;
        if (x > box->right) box->right = x;
        if (y < box->top) box->top = y;
        if (y > box->bottom) box->bottom = y;
    }
}

/* As if nothing had been searched. */
static void boxes_flood_clear(boxes_flood *flood)
{
    for (uint32_t i = 0; i < 2; i++) {
        for (uint32_t k = 0; k < flood->tail[i]; k++) {
            boxes_record_at(flood, flood->queue[i][k].place)->g = CAIRN_NO_COST;
        }
        flood->head[i] = flood->tail[i] = 0;
    }
    flood->overflowed = false;
}

/* The boxes of one point. */
static void boxes_flood_from(boxes_flood *flood, uint32_t place, crn_jump_box *boxes)
{
    for (uint32_t d = 0; d < CRN_DIRECTIONS; d++)
        boxes[d] = (crn_jump_box){.left = UINT16_MAX, .top = UINT16_MAX};
    boxes_record *start = boxes_record_at(flood, place);
    *start = (boxes_record){.g = 0, .arrival = CRN_NO_ARRIVAL};
    boxes_expand(flood, place, start);
    for (boxes_entry entry; boxes_take(flood, &entry);) {
        boxes_record record = *boxes_record_at(flood, entry.place);
        boxes_include(boxes, record.firsts, entry.place);
        boxes_expand(flood, entry.place, &record);
    }
    if (flood->overflowed) { /* what lies beyond is not known */
        for (uint32_t d = 0; d < CRN_DIRECTIONS; d++)
            boxes[d] = (crn_jump_box){0, 0, UINT16_MAX, UINT16_MAX};
    }
    start->g = CAIRN_NO_COST;
    boxes_flood_clear(flood);
}

/* ---- all points ---- */

typedef struct boxes_job {
    crn_jump_boxes *boxes;
    boxes_flood *floods; /* one for each task */
    uint32_t tasks;
    uint32_t *places; /* of the points */
    uint32_t first;   /* point of this batch */
} boxes_job;

static void boxes_task(void *user, uint32_t task)
{
    const boxes_job *job = user;
    for (uint32_t i = 0; i < BOXES_SLICE; i++) {
        uint64_t point = (uint64_t)job->first + (uint64_t)i * job->tasks + task;
        if (point >= job->boxes->count) return;
        boxes_flood_from(&job->floods[task], job->places[point],
                         job->boxes->owned + point * CRN_DIRECTIONS);
    }
}

static void boxes_list_places(const crn_jump_boxes *boxes, uint32_t *places)
{
    const crn_jump_points *points = boxes->points;
    for (uint32_t y = 0; y < boxes->height; y++) {
        for (uint32_t word = 0; word < boxes->words; word++, points++) {
            for (uint64_t left = points->bits; left; left &= left - 1) {
                *places++ = y << 16 | (word * 64 + crn_lowest_bit(left));
            }
        }
    }
}

static cairn_status boxes_run(boxes_job *job, cairn_context *context,
                              const cairn_progress *progress)
{
    const uint64_t count = job->boxes->count, batch = (uint64_t)job->tasks * BOXES_SLICE;
    boxes_list_places(job->boxes, job->places);
    for (uint64_t done = 0; done < count; done += batch) {
        if (!crn_progress(progress, done, count + 1)) return CAIRN_CANCELLED;
        job->first = (uint32_t)done;
        cairn_parallel_for(context, job->tasks, boxes_task, job);
    }
    bool go_on =
        crn_progress(progress, count, count + 1) && crn_progress(progress, count + 1, count + 1);
    return go_on ? CAIRN_OK : CAIRN_CANCELLED;
}

/* Gets all memory, then runs. */
static cairn_status boxes_fill(boxes_job *job, const crn_grid_space *space,
                               const cairn_progress *progress)
{
    cairn_context *context = space->base.context;
    size_t places_size = crn_mul_size(crn_max_u32(job->boxes->count, 1), sizeof *job->places);
    size_t floods_size = job->tasks * sizeof *job->floods;
    job->places = crn_alloc(context, places_size);
    job->floods = crn_alloc_zero(context, floods_size);
    uint32_t opened = 0;
    bool ok = job->places && job->floods;
    for (; ok && opened < job->tasks; opened++) ok = boxes_flood_open(&job->floods[opened], space);
    cairn_status status = ok ? boxes_run(job, context, progress) : CAIRN_OUT_OF_MEMORY;
    while (opened > 0) boxes_flood_close(&job->floods[--opened]);
    crn_free(context, job->floods, floods_size);
    crn_free(context, job->places, places_size);
    return status;
}

static bool boxes_allocate(crn_jump_boxes *boxes, cairn_context *context)
{
    if (!boxes->count) return true;
    boxes->owned = crn_alloc(context, boxes_size(boxes));
    boxes->boxes = boxes->owned;
    return boxes->owned != NULL;
}

cairn_status crn_jump_boxes_build(crn_jump_boxes *boxes, const crn_grid_space *space,
                                  const cairn_progress *progress, cairn_error *error)
{
    cairn_context *context = space->base.context;
    boxes_job job = {.boxes = boxes, .tasks = crn_parallel_tasks(context)};
    cairn_status status = CAIRN_OUT_OF_MEMORY;
    if (boxes_find_points(boxes, space) && boxes_allocate(boxes, context)) {
        status = boxes_fill(&job, space, progress);
    }
    if (status == CAIRN_OK) return status;
    crn_jump_boxes_drop(boxes, context);
    return status == CAIRN_CANCELLED ? crn_fail(error, status, 0, "the build was cancelled")
                                     : boxes_no_memory(error);
}

void crn_jump_boxes_drop(crn_jump_boxes *boxes, cairn_context *context)
{
    if (boxes->owned) crn_free(context, boxes->owned, boxes_size(boxes));
    crn_free(context, boxes->points, boxes_points_size(boxes));
    *boxes = (crn_jump_boxes){0};
}

size_t crn_jump_boxes_bytes(const crn_jump_boxes *boxes)
{
    return boxes->points ? boxes_points_size(boxes) + boxes_size(boxes) : 0;
}

/* ---- saving and loading ---- */

cairn_status crn_jump_boxes_save(const crn_jump_boxes *boxes, cairn_store *store,
                                 cairn_error *error)
{
    if (!boxes->boxes) return CAIRN_OK;
    cairn_status status = cairn_store_add(store, BOXES_SECTION,
                                          (cairn_bytes){boxes->boxes, boxes_size(boxes)}, 2, true);
    return status == CAIRN_OK
               ? status
               : crn_fail(error, status, 0, "the boxes of goals cannot be added to the file");
}

/* In any case, the box of a step out of a point must hold the cell that the step leads to. */
static bool boxes_make_sense(const crn_jump_boxes *boxes, const crn_grid_space *space)
{
    for (uint32_t i = 0; i < boxes->words * boxes->height; i++) {
        for (uint64_t left = boxes->points[i].bits; left; left &= left - 1) {
            uint32_t x = i % boxes->words * 64 + crn_lowest_bit(left), y = i / boxes->words;
            for (uint32_t moves = crn_grid_moves(space, x, y); moves; moves &= moves - 1) {
                uint32_t d = crn_lowest_bit(moves);
                uint32_t to_x = (uint32_t)((int32_t)x + crn_dx[d]),
                         to_y = (uint32_t)((int32_t)y + crn_dy[d]);
                if (!(crn_jump_boxes_allow(boxes, x, y, 1u << d, to_x, to_y))) return false;
            }
        }
    }
    return true;
}

cairn_status crn_jump_boxes_load(crn_jump_boxes *boxes, const crn_grid_space *space,
                                 const cairn_archive *archive, bool borrow, cairn_error *error)
{
    size_t size = 0;
    cairn_context *context = space->base.context;
    const void *section = cairn_archive_section(archive, BOXES_SECTION, 2, &size);
    if (!section) return CAIRN_OK;
    cairn_status status = CAIRN_OK;
    if (!boxes_find_points(boxes, space)) {
        status = boxes_no_memory(error);
    } else if (size != boxes_size(boxes)) {
        status = crn_fail(error, CAIRN_BAD_DATA, 0, "the boxes of goals are not those of this map");
    } else if (borrow) {
        boxes->boxes = section;
    } else if (boxes_allocate(boxes, context)) {
        if (size) memcpy(boxes->owned, section, size);
    } else {
        status = boxes_no_memory(error);
    }
    if (status == CAIRN_OK && !boxes_make_sense(boxes, space)) {
        status = crn_fail(error, CAIRN_BAD_DATA, 0, "a box of goals leaves out the very next cell");
    }
    if (status != CAIRN_OK) crn_jump_boxes_drop(boxes, context);
    return status;
}
