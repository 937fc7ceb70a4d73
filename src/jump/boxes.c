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
#define BOXES_SLICE 8u   /* points that a task looks at between two reports */
#define BOXES_PIECE 256u /* what a piece takes, in cells of the table of jumps */

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

enum { BOXES_PATTERNS = 512 };

static bool boxes_open(crn_jump_boxes *boxes, const crn_grid_space *space)
{
    const uint32_t width = space->grid->width, height = space->grid->height;
    *boxes =
        (crn_jump_boxes){.words = (width + 63) / 64, .height = height, .steps = space->cheapest};
    boxes->points = crn_alloc(space->base.context, boxes_points_size(boxes));
    return boxes->points != NULL;
}

/* Finds and counts the points of 64 cells. Those before them have been counted. */
static void boxes_find_word(crn_jump_boxes *boxes, const crn_grid_space *space,
                            const bool *is_point, uint32_t word)
{
    const uint32_t x = word % boxes->words * 64, y = word / boxes->words;
    crn_jump_points *points = &boxes->points[word];
    *points = (crn_jump_points){.before = boxes->count};
    for (uint32_t i = 0; i < 64 && x + i < space->grid->width; i++) {
        if (is_point[crn_grid_pattern(space, x + i, y)]) points->bits |= UINT64_C(1) << i;
    }
    boxes->count += crn_count_bits(points->bits);
}

/* Finds and counts all points. */
static bool boxes_find_points(crn_jump_boxes *boxes, const crn_grid_space *space)
{
    bool is_point[BOXES_PATTERNS];
    if (!boxes_open(boxes, space)) return false;
    for (uint32_t pattern = 0; pattern < BOXES_PATTERNS; pattern++)
        is_point[pattern] = boxes_is_point(space, pattern);
    for (uint32_t i = 0; i < boxes->words * boxes->height; i++)
        boxes_find_word(boxes, space, is_point, i);
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
    bool overflowed;     /* a path costs more than 32 bits hold */
    crn_jump_box *boxes; /* of the point where it begins */
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

/* The records are still to be filled with ones. */
static bool boxes_flood_open(boxes_flood *flood, const crn_grid_space *space)
{
    *flood =
        (boxes_flood){.space = space, .step = {space->cheapest.straight, space->cheapest.diagonal}};
    flood->records =
        crn_alloc(space->base.context, boxes_flood_cells(space, sizeof *flood->records));
    for (uint32_t i = 0; i < 2; i++) {
        flood->queue[i] =
            crn_alloc(space->base.context, boxes_flood_cells(space, sizeof *flood->queue[i]));
    }
    return flood->records && flood->queue[0] && flood->queue[1];
}

/* Fills records with ones, from a byte on; returns how many bytes. */
static size_t boxes_flood_forget(boxes_flood *flood, size_t from, size_t most)
{
    size_t left = boxes_flood_cells(flood->space, sizeof *flood->records) - from;
    if (left > most) left = most;
    if (flood->records) memset((uint8_t *)flood->records + from, 0xff, left);
    return left;
}

static boxes_record *boxes_record_at(const boxes_flood *flood, uint32_t place)
{
    return &flood->records[(size_t)(place >> 16) * flood->space->grid->width + (place & 0xffff)];
}

/* The nearer of the two heads; false if both queues are empty. */
static bool boxes_take(boxes_flood *flood, boxes_entry *out)
{
    bool straight = flood->head[0] < flood->tail[0], diagonal = flood->head[1] < flood->tail[1];
    if (!straight && !diagonal) return false;
    uint32_t from = !straight || (diagonal && flood->queue[1][flood->head[1]].g <
                                                  flood->queue[0][flood->head[0]].g);
    *out = flood->queue[from][flood->head[from]++];
    return true;
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

/* Begins with a point. */
static void boxes_flood_begin(boxes_flood *flood, uint32_t place, crn_jump_box *boxes)
{
    for (uint32_t d = 0; d < CRN_DIRECTIONS; d++)
        boxes[d] = (crn_jump_box){.left = UINT16_MAX, .top = UINT16_MAX};
    boxes_record *start = boxes_record_at(flood, place);
    *start = (boxes_record){.g = 0, .arrival = CRN_NO_ARRIVAL};
    flood->boxes = boxes;
    boxes_expand(flood, place, start);
}

/* Takes at most `most` cells from the queues. Of those that were reached more cheaply since,
 * nothing is left. Returns whether there are no more. */
static bool boxes_flood_go_on(boxes_flood *flood, uint64_t most)
{
    for (boxes_entry entry; most; most--) {
        if (!boxes_take(flood, &entry)) return true;
        boxes_record record = *boxes_record_at(flood, entry.place);
        if (record.g != entry.g) continue;
        boxes_include(flood->boxes, record.firsts, entry.place);
        boxes_expand(flood, entry.place, &record);
    }
    return false;
}

/* Makes it as if nothing had been searched: at most `most` cells. Returns whether it is done. */
static bool boxes_flood_clear(boxes_flood *flood, uint64_t most)
{
    for (uint32_t i = 0; i < 2; i++) {
        for (; flood->tail[i] && most; most--)
            boxes_record_at(flood, flood->queue[i][--flood->tail[i]].place)->g = CAIRN_NO_COST;
        flood->head[i] = 0;
    }
    return !flood->tail[0] && !flood->tail[1];
}

/* When there are no more cells. */
static void boxes_flood_end(boxes_flood *flood, uint32_t place)
{
    for (uint32_t d = 0; d < CRN_DIRECTIONS && flood->overflowed; d++)
        flood->boxes[d] = (crn_jump_box){0, 0, UINT16_MAX, UINT16_MAX}; /* what lies beyond? */
    flood->overflowed = false;
    boxes_record_at(flood, place)->g = CAIRN_NO_COST;
}

/* The boxes of one point. */
static void boxes_flood_from(boxes_flood *flood, uint32_t place, crn_jump_box *boxes)
{
    boxes_flood_begin(flood, place, boxes);
    boxes_flood_go_on(flood, UINT64_MAX);
    boxes_flood_end(flood, place);
    boxes_flood_clear(flood, UINT64_MAX);
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
    for (; ok && opened < job->tasks; opened++) {
        ok = boxes_flood_open(&job->floods[opened], space);
        boxes_flood_forget(&job->floods[opened], 0, SIZE_MAX);
    }
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

/* ---- in slices ---- */

/* What comes next. */
typedef enum boxes_stage {
    BOXES_FIND_PATTERNS,
    BOXES_FIND_POINTS,
    BOXES_RESERVE,
    BOXES_FORGET,
    BOXES_SEEK, /* the next point */
    BOXES_FLOOD,
    BOXES_CLEAR,
    BOXES_DONE
} boxes_stage;

struct crn_jump_boxes_slices {
    boxes_stage stage;
    size_t at; /* pattern, word or byte */
    bool is_point[BOXES_PATTERNS];
    boxes_flood flood;
    uint32_t point, place; /* which one it floods from */
    uint64_t left;         /* points of the word that are still to come */
};

static void boxes_slices_close(crn_jump_boxes *boxes, cairn_context *context)
{
    if (!boxes->slices) return;
    if (boxes->slices->flood.space) boxes_flood_close(&boxes->slices->flood);
    crn_free(context, boxes->slices, sizeof *boxes->slices);
    boxes->slices = NULL;
}

cairn_status crn_jump_boxes_begin(crn_jump_boxes *boxes, const crn_grid_space *space,
                                  cairn_error *error)
{
    cairn_context *context = space->base.context;
    bool ok = boxes_open(boxes, space);
    if (ok) boxes->slices = crn_alloc_zero(context, sizeof *boxes->slices);
    if (boxes->slices) return CAIRN_RUNNING;
    crn_jump_boxes_drop(boxes, context);
    return boxes_no_memory(error);
}

static void boxes_enter(crn_jump_boxes_slices *slices, boxes_stage stage)
{
    slices->stage = stage;
    slices->at = 0;
}

static void boxes_slice_patterns(crn_jump_boxes_slices *slices, const crn_grid_space *space)
{
    enum { PIECE = 64 };
    for (uint32_t i = 0; i < PIECE; i++, slices->at++)
        slices->is_point[slices->at] = boxes_is_point(space, (uint32_t)slices->at);
    if (slices->at == BOXES_PATTERNS) boxes_enter(slices, BOXES_FIND_POINTS);
}

static void boxes_slice_points(crn_jump_boxes *boxes, const crn_grid_space *space)
{
    enum { PIECE = 8 };
    crn_jump_boxes_slices *slices = boxes->slices;
    const uint32_t words = boxes->words * boxes->height;
    for (uint32_t i = 0; i < PIECE && slices->at < words; i++)
        boxes_find_word(boxes, space, slices->is_point, (uint32_t)slices->at++);
    if (slices->at == words) boxes_enter(slices, BOXES_RESERVE);
}

static bool boxes_slice_reserve(crn_jump_boxes *boxes, const crn_grid_space *space)
{
    boxes_enter(boxes->slices, BOXES_FORGET);
    return boxes_allocate(boxes, space->base.context) &&
           boxes_flood_open(&boxes->slices->flood, space);
}

static void boxes_slice_forget(crn_jump_boxes_slices *slices)
{
    enum { PIECE = 65536 };
    size_t part = boxes_flood_forget(&slices->flood, slices->at, PIECE);
    slices->at += part;
    if (part < PIECE) boxes_enter(slices, BOXES_SEEK);
}

/* Begins with the next point, of a few words. */
static void boxes_slice_seek(crn_jump_boxes *boxes)
{
    enum { PIECE = 256 };
    crn_jump_boxes_slices *slices = boxes->slices;
    const uint32_t words = boxes->words * boxes->height;
    for (uint32_t i = 0; i < PIECE && !slices->left && slices->at < words; i++)
        slices->left = boxes->points[slices->at++].bits;
    if (slices->left) {
        uint32_t word = (uint32_t)slices->at - 1;
        slices->place =
            word / boxes->words << 16 | (word % boxes->words * 64 + crn_lowest_bit(slices->left));
        slices->left &= slices->left - 1;
        boxes_flood_begin(&slices->flood, slices->place,
                          boxes->owned + (size_t)slices->point++ * CRN_DIRECTIONS);
        slices->stage = BOXES_FLOOD;
    } else if (slices->at == words) {
        slices->stage = BOXES_DONE;
    }
}

static void boxes_slice_flood(crn_jump_boxes_slices *slices)
{
    enum { PIECE = 64 };
    if (slices->stage == BOXES_FLOOD) {
        if (!boxes_flood_go_on(&slices->flood, PIECE)) return;
        boxes_flood_end(&slices->flood, slices->place);
        slices->stage = BOXES_CLEAR;
    } else if (boxes_flood_clear(&slices->flood, (uint64_t)4 * PIECE)) {
        slices->stage = BOXES_SEEK;
    }
}

/* The next piece; false = no memory. */
static bool boxes_slice(crn_jump_boxes *boxes, const crn_grid_space *space)
{
    switch (boxes->slices->stage) {
    case BOXES_FIND_PATTERNS: boxes_slice_patterns(boxes->slices, space); return true;
    case BOXES_FIND_POINTS: boxes_slice_points(boxes, space); return true;
    case BOXES_RESERVE: return boxes_slice_reserve(boxes, space);
    case BOXES_FORGET: boxes_slice_forget(boxes->slices); return true;
    case BOXES_SEEK: boxes_slice_seek(boxes); return true;
    default: boxes_slice_flood(boxes->slices); return true;
    }
}

cairn_status crn_jump_boxes_step(crn_jump_boxes *boxes, const crn_grid_space *space,
                                 uint64_t *cells, cairn_error *error)
{
    while (boxes->slices->stage != BOXES_DONE) {
        if (*cells < BOXES_PIECE) return CAIRN_RUNNING;
        *cells -= BOXES_PIECE;
        if (boxes_slice(boxes, space)) continue;
        crn_jump_boxes_drop(boxes, space->base.context);
        return boxes_no_memory(error);
    }
    boxes_slices_close(boxes, space->base.context);
    return CAIRN_OK;
}

void crn_jump_boxes_drop(crn_jump_boxes *boxes, cairn_context *context)
{
    boxes_slices_close(boxes, context);
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
