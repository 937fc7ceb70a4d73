/* jump_check.c: what must hold of the tables of jumping searches. See jump_check.h. */
#include "jump/jump_check.h"

#if defined(CAIRN_CHECKS)

/* ---- the table ---- */

static bool jump_check_linked(const crn_grid_space *space, uint32_t x, uint32_t y)
{
    return space->links.count && crn_bit(&space->links.from, (int32_t)x, (int32_t)y);
}

/* The run of a cell that can be stood on, by the rule of table.h, from its neighbour. */
static uint32_t jump_check_run(const crn_jump_table *table, const crn_grid_space *space, uint32_t x,
                               uint32_t y, uint32_t d)
{
    int32_t bx = (int32_t)x + crn_dx[d], by = (int32_t)y + crn_dy[d];
    if (!crn_bit(&space->usable, bx, by)) return 0;
    bool turns = crn_grid_canonical_moves(space, (uint32_t)bx, (uint32_t)by, d) & ~(1u << d);
    if (turns || jump_check_linked(space, (uint32_t)bx, (uint32_t)by)) return CRN_JUMP_POINT | 1;
    uint32_t next = crn_jump_field(crn_jump_cell(table, (uint32_t)bx, (uint32_t)by), d);
    return next + ((next & CRN_JUMP_LENGTH) != CRN_JUMP_LENGTH);
}

/* The two straight directions that a diagonal one is made of. */
static uint32_t jump_check_parts(uint32_t d)
{
    static const uint8_t parts[4] = {1u << CRN_N | 1u << CRN_E, 1u << CRN_S | 1u << CRN_E,
                                     1u << CRN_S | 1u << CRN_W, 1u << CRN_N | 1u << CRN_W};
    return parts[d - CRN_NE];
}

/* Does the cell force a turn after a diagonal step? By the rule of corners, cell by cell: beside
 * that step something is blocked, and the cell after it is free. */
static bool jump_check_turns(const crn_grid_space *space, int32_t x, int32_t y, uint32_t d)
{
    const crn_bits *bits = &space->usable;
    int32_t dx = crn_dx[d], dy = crn_dy[d];
    cairn_corners corners = space->profile.corners;
    if (corners == CAIRN_CORNERS_NEVER) return false;
    bool level = !crn_bit(bits, x - dx, y) && crn_bit(bits, x - dx, y + dy),
         upright = !crn_bit(bits, x, y - dy) && crn_bit(bits, x + dx, y - dy);
    if (corners == CAIRN_CORNERS_ONE) {
        level = level && crn_bit(bits, x, y + dy);
        upright = upright && crn_bit(bits, x + dx, y);
    }
    return level || upright;
}

/* May a diagonal jump pass the cell? */
static bool jump_check_passes(const crn_jump_table *table, const crn_grid_space *space, uint32_t x,
                              uint32_t y, uint32_t d)
{
    if (!crn_bit(&space->usable, (int32_t)x, (int32_t)y)) return false;
    uint32_t parts = jump_check_parts(d);
    if (!(crn_grid_moves(space, x, y) >> d & 1)) return false;
    if (jump_check_turns(space, (int32_t)x, (int32_t)y, d)) return false;
    if (jump_check_linked(space, x, y)) return false;
    uint32_t cell = crn_jump_cell(table, x, y);
    for (uint32_t s = CRN_N; s <= CRN_W; s++) {
        if (parts >> s & 1 && crn_jump_field(cell, s) & CRN_JUMP_POINT) return false;
    }
    return true;
}

static const char *jump_check_cell(const crn_jump_table *table, const crn_grid_space *space,
                                   uint32_t x, uint32_t y)
{
    uint32_t cell = crn_jump_cell(table, x, y);
    bool stands = crn_bit(&space->usable, (int32_t)x, (int32_t)y);
    if (!stands && cell != CRN_JUMP_BLOCKED) return "a blocked cell has jumps";
    for (uint32_t d = CRN_N; stands && d <= CRN_W; d++) {
        if (crn_jump_field(cell, d) != jump_check_run(table, space, x, y, d))
            return "a jump is longer or shorter than the next cell says";
    }
    for (uint32_t d = CRN_NE; d < CRN_DIRECTIONS; d++) {
        bool passed =
            crn_bit(&table->passed[d - CRN_NE], (int32_t)x, (int32_t)crn_jump_line(table, d, x, y));
        if (passed != jump_check_passes(table, space, x, y, d))
            return "a diagonal jump passes where it must stop, or the other way round";
    }
    return NULL;
}

const char *crn_jump_table_check(const crn_jump_table *table, const crn_grid_space *space)
{
    const cairn_grid *grid = space->grid;
    const char *wrong = NULL;
    if (!table->cells || !space->runs) return "there is no table of jumps, or no runs";
    if (table->width != grid->width || table->height != grid->height ||
        table->turn % table->height || table->turn < table->width)
        return "the table of jumps is of another map";
    for (uint32_t y = 0; y < table->height && !wrong; y++)
        for (uint32_t x = 0; x < table->width && !wrong; x++)
            wrong = jump_check_cell(table, space, x, y);
    return wrong;
}

/* ---- boxes ---- */

/* Does each box hold the cell that the step leads to, and lie in the map? */
static const char *jump_check_point(const crn_jump_boxes *boxes, const crn_grid_space *space,
                                    uint32_t x, uint32_t y, const crn_jump_box *box)
{
    for (uint32_t moves = crn_grid_moves(space, x, y); moves; moves &= moves - 1) {
        uint32_t d = crn_lowest_bit(moves);
        uint32_t to_x = (uint32_t)((int32_t)x + crn_dx[d]),
                 to_y = (uint32_t)((int32_t)y + crn_dy[d]);
        if (!crn_jump_boxes_allow(boxes, x, y, 1u << d, to_x, to_y))
            return "a box leaves out the very next cell";
        if (box[d].right >= space->grid->width || box[d].bottom >= space->grid->height)
            return "a box goes beyond the map";
    }
    return NULL;
}

const char *crn_jump_boxes_check(const crn_jump_boxes *boxes, const crn_grid_space *space)
{
    uint32_t count = 0;
    if (!boxes->boxes) return NULL;
    if (!crn_jump_boxes_fit(boxes, space)) return "the boxes are of other costs";
    for (uint32_t i = 0; i < boxes->words * boxes->height; i++) {
        if (boxes->points[i].before != count) return "points are counted wrong";
        for (uint64_t left = boxes->points[i].bits; left; left &= left - 1) {
            uint32_t x = i % boxes->words * 64 + crn_lowest_bit(left), y = i / boxes->words;
            if (x >= space->grid->width || count >= boxes->count) return "a point lies outside";
            const char *wrong = jump_check_point(boxes, space, x, y,
                                                 boxes->boxes + (size_t)count++ * CRN_DIRECTIONS);
            if (wrong) return wrong;
        }
    }
    return count == boxes->count ? NULL : "points are counted wrong";
}

/* ---- records ---- */

/* The record of a place, NULL if there is none. Nothing moves meanwhile. */
static const crn_jump_record *jump_check_find(const crn_jump_records *records, uint64_t key)
{
    bool known;
    const crn_jump_record *record =
        crn_jump_records_slot(records->table, records->mask, records->shift, key, &known);
    if (!known && records->old) {
        record =
            crn_jump_records_slot(records->old, records->mask / 2, records->shift + 1, key, &known);
    }
    return known ? record : NULL;
}

static const char *jump_check_record(const crn_jump_records *records, const crn_jump_record *record)
{
    uint32_t arrival = record->key & CRN_JUMP_ARRIVAL;
    uint64_t key = record->key & ~(uint64_t)CRN_JUMP_LOW;
    if (jump_check_find(records, key) != record) return "a record is not found, or stands twice";
    if (arrival >= CRN_ARRIVALS) return "reached by a move that there is not";
    if (arrival == CRN_NO_ARRIVAL) return record->g ? "the start costs something" : NULL;
    const crn_jump_record *parent = jump_check_find(records, crn_jump_key(records, record->parent));
    if (!parent) return "the parent of a record is not known";
    return parent->g < record->g ? NULL : "a parent costs no less than its child";
}

/* Those that have not moved yet. */
static uint32_t jump_check_waiting(const crn_jump_records *records)
{
    uint32_t count = 0;
    for (uint32_t i = 0; records->old && i <= records->mask / 2; i++) {
        uint64_t key = records->old[i].key & ~(uint64_t)CRN_JUMP_LOW;
        if (!crn_jump_records_own(records, &records->old[i])) continue;
        count += jump_check_find(records, key) == &records->old[i];
    }
    return count;
}

const char *crn_jump_records_check(const crn_jump_records *records)
{
    uint32_t count = jump_check_waiting(records);
    const char *wrong = NULL;
    for (uint32_t i = 0; i < crn_jump_records_length(records) && !wrong; i++) {
        const crn_jump_record *record = &records->table[i];
        if (!crn_jump_records_own(records, record)) continue;
        count++;
        wrong = jump_check_record(records, record);
    }
    return wrong ? wrong : count == records->count ? NULL : "records are counted wrong";
}

#endif
