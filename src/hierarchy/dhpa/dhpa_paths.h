/* dhpa_paths.h: the routes of a cluster from each of its nodes to each other, as paths.
 *
 * A path is a list of legs: a direction, and how many steps lead there. The first direction has
 * three bits. Others are turns against the one before: 0 and a bit, by 45 degrees to the right or
 * to the left; 1, 0 and a bit, by 90 degrees; or 1, 1 and three bits of the direction itself. Steps
 * less one are a number in Rice's code: a fourth of it as ones and a zero, and two bits of the
 * rest. Where a path ends is known: at its node.
 */
#ifndef CRN_DHPA_PATHS_H
#define CRN_DHPA_PATHS_H

#include "hierarchy/dhpa/dhpa_routes.h"

#define CRN_PATH_REST 2u /* bits of the rest */

/* Where reading is: in bits, and the direction before. */
typedef struct crn_path_reader {
    const uint8_t *bytes;
    uint32_t at, direction; /* CRN_DIRECTIONS = none yet */
} crn_path_reader;

/* Directions as eighths of a circle, clockwise from the north; and back. */
CRN_INLINE uint32_t crn_turn_of(uint32_t direction)
{
    return direction % 4 * 2 + direction / 4;
}

CRN_INLINE uint32_t crn_direction_of(uint32_t turn)
{
    return turn / 2 % 4 + turn % 2 * 4;
}

/* The number of the path between two nodes of a cluster of this many. */
CRN_INLINE uint32_t crn_path_number(uint32_t nodes, uint32_t from, uint32_t to)
{
    return to * (nodes - 1) + from - (from > to);
}

CRN_INLINE crn_path_reader crn_path_between(const crn_routes *routes, uint32_t from, uint32_t to)
{
    const uint8_t *list = routes->bytes + routes->records;
    uint32_t number = crn_path_number(routes->nodes, from, to), width = routes->entry_bits;
    return (crn_path_reader){list, crn_routes_bits(list, number * width, width), CRN_DIRECTIONS};
}

/* Reads the next leg. */
CRN_INLINE crn_leg crn_path_leg(crn_path_reader *reader)
{
    uint32_t bits = crn_four_bytes(reader->bytes + reader->at / 8) >> reader->at % 8, used = 3,
             direction = bits & 7;
    if (CRN_LIKELY(reader->direction != CRN_DIRECTIONS)) {
        uint32_t wide = bits & 1, turn = crn_turn_of(reader->direction);
        if ((bits & 3) == 3) {
            direction = bits >> 2 & 7;
            used = 5;
        } else {
            uint32_t left = bits >> (1 + wide) & 1;
            used = 2 + wide;
            direction = crn_direction_of(left ? turn + 7 - wide : turn + 1 + wide);
        }
    }
    bits >>= used;
    uint32_t fourths = crn_lowest_bit(~bits);
    bits >>= fourths + 1;
    reader->at += used + fourths + 1 + CRN_PATH_REST;
    reader->direction = direction;
    return (crn_leg){direction,
                     (fourths << CRN_PATH_REST) + (bits & ((1u << CRN_PATH_REST) - 1)) + 1};
}

/* ---- packing ---- */

/* Where a node lies in its cluster. */
uint32_t crn_routes_place(const crn_open_routes *open, uint32_t i);

/* How many bytes the paths of a cluster take with their list; UINT32_MAX = too many. `entry_bits`
 * receives how many bits the place of one has there. */
uint32_t crn_paths_size(const crn_open_routes *open, uint32_t *entry_bits);

/* Writes them into bytes that are zero. */
void crn_paths_put(const crn_open_routes *open, uint32_t entry_bits, uint8_t *bytes);

#endif
