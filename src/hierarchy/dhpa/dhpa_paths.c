/* dhpa_paths.c: packing routes between the nodes of a cluster as paths. See dhpa_paths.h. */
#include "hierarchy/dhpa/dhpa_paths.h"

#define PATHS_ENTRY 25u /* bits that can be read at once */

/* What is written, or only counted where there are no bytes. */
typedef struct paths_writer {
    uint8_t *bytes;
    uint32_t at;
} paths_writer;

static void paths_put(paths_writer *writer, uint32_t number, uint32_t width)
{
    if (writer->bytes) crn_routes_put(writer->bytes, writer->at, number);
    writer->at += width;
}

static void paths_put_direction(paths_writer *writer, uint32_t direction, uint32_t before)
{
    if (before == CRN_DIRECTIONS) {
        paths_put(writer, direction, 3);
        return;
    }
    uint32_t turn = (crn_turn_of(direction) + 8 - crn_turn_of(before)) % 8;
    switch (turn) {
    case 1:
    case 7: paths_put(writer, turn == 7 ? 2 : 0, 2); break;
    case 2:
    case 6: paths_put(writer, turn == 6 ? 5 : 1, 3); break;
    default: paths_put(writer, direction << 2 | 3, 5); break;
    }
}

static void paths_put_steps(paths_writer *writer, uint32_t steps)
{
    uint32_t fourths = (steps - 1) >> CRN_PATH_REST;
    paths_put(writer, (1u << fourths) - 1, fourths + 1);
    paths_put(writer, (steps - 1) & ((1u << CRN_PATH_REST) - 1), CRN_PATH_REST);
}

/* The path from a place of the cluster along the route to a node. */
static void paths_put_path(paths_writer *writer, const uint8_t *steps, uint32_t place,
                           uint32_t width)
{
    for (uint32_t before = CRN_DIRECTIONS; steps[place] < CRN_DIRECTIONS;) {
        uint32_t direction = steps[place], count = 0;
        for (; steps[place] == direction; count++)
            place += (uint32_t)(crn_dx[direction] + crn_dy[direction] * (int32_t)width);
        paths_put_direction(writer, direction, before);
        paths_put_steps(writer, count);
        before = direction;
    }
}

/* All paths; where each begins goes to the list, if there are bytes. */
static void paths_put_all(const crn_open_routes *open, paths_writer *writer, uint32_t entry_bits)
{
    uint32_t cells = open->area.width * open->area.height;
    for (uint32_t to = 0; to < open->count; to++) {
        const uint8_t *steps = open->steps + (size_t)to * cells;
        for (uint32_t from = 0; from < open->count; from++) {
            if (from == to) continue;
            uint32_t number = crn_path_number(open->count, from, to);
            if (writer->bytes) crn_routes_put(writer->bytes, number * entry_bits, writer->at);
            paths_put_path(writer, steps, crn_routes_place(open, from), open->area.width);
        }
    }
}

uint32_t crn_paths_size(const crn_open_routes *open, uint32_t *entry_bits)
{
    paths_writer writer = {0};
    uint32_t count = open->count * (open->count - 1), width = 0;
    paths_put_all(open, &writer, 0);
    while ((writer.at + count * width) >> width) width++;
    *entry_bits = width;
    return width > PATHS_ENTRY ? UINT32_MAX : (writer.at + count * width + 7) / 8;
}

void crn_paths_put(const crn_open_routes *open, uint32_t entry_bits, uint8_t *bytes)
{
    paths_writer writer = {bytes, open->count * (open->count - 1) * entry_bits};
    paths_put_all(open, &writer, entry_bits);
}
